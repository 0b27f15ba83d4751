# SPDX-License-Identifier: GPL-3.0-or-later
# What daemon and client share.
noinst_LIBRARIES += libproto.a
libproto_a_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS) $(ZLIB_CFLAGS) $(SNDFILE_CFLAGS) $(MATIO_CFLAGS) \
	$(HDF5_CFLAGS)
libproto_a_SOURCES = \
	proto/address.c proto/address.h \
	proto/base64.c proto/base64.h \
	proto/calibration.c proto/calibration.h \
	proto/cause.c proto/cause.h \
	proto/clock.h \
	proto/column_label.c proto/column_label.h \
	proto/label_doubt.c proto/label_doubt.h \
	proto/complaint.c proto/complaint.h \
	proto/dialect/attempt.c proto/dialect/attempt.h \
	proto/dialect/byte_source.c proto/dialect/byte_source.h \
	proto/dialect/cells.c proto/dialect/cells.h \
	proto/dialect/day_time.c proto/dialect/day_time.h \
	proto/dialect/decode.c proto/dialect/decode.h \
	proto/dialect/dialect.c proto/dialect/dialect.h \
	proto/dialect/gunzip.c proto/dialect/gunzip.h \
	proto/dialect/header_lines.c proto/dialect/header_lines.h \
	proto/dialect/hdf5_calls.h \
	proto/dialect/hdf5_file.c proto/dialect/hdf5_file.h \
	proto/dialect/labview.c proto/dialect/labview.h \
	proto/dialect/layout.h \
	proto/dialect/matlab_elements.c proto/dialect/matlab_elements.h \
	proto/dialect/matlab_file.c proto/dialect/matlab_file.h \
	proto/dialect/number_choice.c proto/dialect/number_choice.h \
	proto/dialect/number_file.c proto/dialect/number_file.h \
	proto/dialect/number_opening.c proto/dialect/number_opening.h \
	proto/dialect/oscilloscope.c proto/dialect/oscilloscope.h \
	proto/dialect/preamble.h \
	proto/dialect/sample.c proto/dialect/sample.h \
	proto/dialect/shared_library.c proto/dialect/shared_library.h \
	proto/dialect/sniff.c proto/dialect/sniff.h \
	proto/dialect/sniff_refusal.c proto/dialect/sniff_refusal.h \
	proto/dialect/sound_file.c proto/dialect/sound_file.h \
	proto/dialect/text_stream.c proto/dialect/text_stream.h \
	proto/dialect/translate.c proto/dialect/translate.h \
	proto/dialect/unit_lines.c proto/dialect/unit_lines.h \
	proto/dialect/two_bytes.c proto/dialect/two_bytes.h \
	proto/dialect/words.c proto/dialect/words.h \
	proto/framing.c proto/framing.h \
	proto/json_text.c proto/json_text.h \
	proto/json_value.c proto/json_value.h \
	proto/jsonrpc.c proto/jsonrpc.h \
	proto/lock_file.c proto/lock_file.h \
	proto/measured_unit.c proto/measured_unit.h \
	proto/name_words.c proto/name_words.h \
	proto/decimal.c proto/decimal.h \
	proto/plain_text.c proto/plain_text.h \
	proto/quote.c proto/quote.h \
	proto/recording.c proto/recording.h \
	proto/recording_calibration.c proto/recording_calibration.h \
	proto/recording_header.c proto/recording_header.h \
	proto/recording_lines.c proto/recording_lines.h \
	proto/recording_batches.c proto/recording_batches.h \
	proto/recording_check.c \
	proto/recording_clock.c proto/recording_clock.h \
	proto/recording_epoch.c proto/recording_epoch.h \
	proto/recording_load.c \
	proto/recording_numbers.c proto/recording_numbers.h \
	proto/recording_parts.h \
	proto/recording_holes.c proto/recording_holes.h \
	proto/recording_refusal.c proto/recording_refusal.h \
	proto/recording_state.h \
	proto/recording_thousands.c proto/recording_thousands.h \
	proto/recording_units.c proto/recording_units.h \
	proto/recording_pace.c proto/recording_pace.h \
	proto/recording_marks.c proto/recording_marks.h \
	proto/recording_writer.c proto/recording_writer.h \
	proto/regular_file.c proto/regular_file.h \
	proto/standard_streams.c proto/standard_streams.h \
	proto/text_piece.h \
	proto/time_unit.c proto/time_unit.h \
	proto/unrepeated.c proto/unrepeated.h \
	proto/utf8.c proto/utf8.h

check_PROGRAMS += tests/bench/bench_recording
tests_bench_bench_recording_SOURCES = tests/bench/bench_recording.c
tests_bench_bench_recording_CPPFLAGS = $(AM_CPPFLAGS) $(ZLIB_CFLAGS) $(HDF5_CFLAGS)
# The numbers of HDF5's types are variables of the library; without -fPIC the program would have those, and what is
# loaded others.
tests_bench_bench_recording_CFLAGS = $(AM_CFLAGS) -fPIC
tests_bench_bench_recording_LDADD = $(PROTO_LIBS) $(HDF5_LIBS)

# What every message looks like, for whoever writes a client.
schemadir = $(datadir)/fricid/schema
# Of each method; the schemas of the parameters are written at build time.
result_schemas = \
	proto/schema/backup.begin.result.json \
	proto/schema/backup.end.result.json \
	proto/schema/backup.read.result.json \
	proto/schema/config.result.json \
	proto/schema/devices.result.json \
	proto/schema/identify.append.result.json \
	proto/schema/identify.begin.result.json \
	proto/schema/identify.finish.result.json \
	proto/schema/identify.more.result.json \
	proto/schema/identify.result.json \
	proto/schema/protect.result.json \
	proto/schema/recorder.find.result.json \
	proto/schema/recorder.read.result.json \
	proto/schema/reidentify.result.json \
	proto/schema/results.get.result.json \
	proto/schema/results.list.result.json \
	proto/schema/runs.get.result.json \
	proto/schema/samples.result.json \
	proto/schema/simulate.append.result.json \
	proto/schema/simulate.begin.result.json \
	proto/schema/simulate.finish.result.json \
	proto/schema/simulate.more.result.json \
	proto/schema/simulate.result.json \
	proto/schema/status.result.json \
	proto/schema/subscribe.result.json \
	proto/schema/unsubscribe.result.json \
	proto/schema/version.result.json \
	proto/schema/zero.result.json
dist_schema_DATA = $(result_schemas) \
	proto/schema/error.json \
	proto/schema/event.json \
	proto/schema/hello.json \
	proto/schema/notify.dropped.json \
	proto/schema/notify.event.json \
	proto/schema/notify.progress.json \
	proto/schema/notify.result.json \
	proto/schema/notify.signal.json \
	proto/schema/response.json

if HAVE_CHECK
PROTO_TESTS = tests/unit/test_cause tests/unit/test_column_label tests/unit/test_decimal tests/unit/test_framing tests/unit/test_jsonrpc tests/unit/test_quote \
	tests/unit/test_number_files tests/unit/test_recording tests/unit/test_recording_marks tests/unit/test_unrepeated
check_PROGRAMS += $(PROTO_TESTS)
TESTS += $(PROTO_TESTS)
tests_unit_test_cause_SOURCES = tests/unit/test_cause.c
tests_unit_test_cause_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_cause_LDADD = $(PROTO_LIBS) $(CHECK_LIBS)
tests_unit_test_column_label_SOURCES = tests/unit/test_column_label.c
tests_unit_test_column_label_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_column_label_LDADD = $(PROTO_LIBS) $(CHECK_LIBS)
tests_unit_test_decimal_SOURCES = tests/unit/test_decimal.c
tests_unit_test_decimal_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_decimal_LDADD = $(PROTO_LIBS) $(CHECK_LIBS)
tests_unit_test_quote_SOURCES = tests/unit/test_quote.c
tests_unit_test_quote_CPPFLAGS = $(UNIT_CPPFLAGS) $(LIBCONFIG_CFLAGS)
tests_unit_test_quote_LDADD = $(PROTO_LIBS) $(LIBCONFIG_LIBS) $(CHECK_LIBS)
tests_unit_test_number_files_SOURCES = tests/unit/test_number_files.c
tests_unit_test_number_files_CPPFLAGS = $(UNIT_CPPFLAGS) $(HDF5_CFLAGS)
tests_unit_test_number_files_CFLAGS = $(AM_CFLAGS) -fPIC
tests_unit_test_number_files_LDADD = $(PROTO_LIBS) $(HDF5_LIBS) $(CHECK_LIBS)
tests_unit_test_recording_SOURCES = tests/unit/test_recording.c
tests_unit_test_recording_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_recording_LDADD = $(PROTO_LIBS) $(CHECK_LIBS)
tests_unit_test_recording_marks_SOURCES = tests/unit/test_recording_marks.c
tests_unit_test_recording_marks_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_recording_marks_LDADD = $(PROTO_LIBS) $(CHECK_LIBS)
tests_unit_test_unrepeated_SOURCES = tests/unit/test_unrepeated.c
tests_unit_test_unrepeated_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_unrepeated_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=getrandom
tests_unit_test_unrepeated_LDADD = $(PROTO_LIBS) $(CHECK_LIBS)
tests_unit_test_framing_SOURCES = tests/unit/test_framing.c
tests_unit_test_framing_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_framing_LDADD = $(PROTO_LIBS) $(CHECK_LIBS)
tests_unit_test_jsonrpc_SOURCES = tests/unit/test_jsonrpc.c
tests_unit_test_jsonrpc_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_jsonrpc_LDADD = $(PROTO_LIBS) $(CHECK_LIBS)
endif
