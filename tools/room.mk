# SPDX-License-Identifier: GPL-3.0-or-later
# What is written at build time out of the programs' own tables. A cross build takes the program of a native one:
# make GENERATOR=/there/tools/generator.
noinst_PROGRAMS += tools/generator
tools_generator_SOURCES = tools/generator.c tools/generator.h tools/manual.c tools/methods.c tools/schema.c
tools_generator_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS) $(GSL_CFLAGS)
tools_generator_LDADD = $(DAEMON_LIBS)
GENERATOR = tools/generator$(EXEEXT)
GENERATE = $(TEST_LAUNCHER) $(GENERATOR)

generated_schemas = proto/schema/curve.json proto/schema/estimate.json proto/schema/loop.json proto/schema/half_power.json proto/schema/restitution.json proto/schema/result.json proto/schema/ring_down.json \
	proto/schema/summary.json proto/schema/run.json proto/schema/request.json \
	$(result_schemas:.result.json=.params.json)
$(generated_schemas): $(GENERATOR)
	$(AM_V_GEN)$(MKDIR_P) proto/schema && $(GENERATE) schema `basename $@ .json` >$@.part && mv $@.part $@
proto/schema/definitions.json: $(GENERATOR) proto/schema/definitions.json.in
	$(AM_V_GEN)$(MKDIR_P) proto/schema && \
		$(GENERATE) definitions $(srcdir)/proto/schema/definitions.json.in >$@.part && mv $@.part $@
nodist_schema_DATA = $(generated_schemas) proto/schema/definitions.json

proto/fricid-protocol.7: $(GENERATOR) proto/fricid-protocol.7.in
	$(AM_V_GEN)$(MKDIR_P) proto && $(GENERATE) manual $(srcdir)/proto/fricid-protocol.7.in >$@.part && mv $@.part $@
nodist_man_MANS += proto/fricid-protocol.7
EXTRA_DIST += proto/schema/definitions.json.in proto/fricid-protocol.7.in
CLEANFILES += $(nodist_schema_DATA) proto/fricid-protocol.7
