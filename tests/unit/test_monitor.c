/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What stands behind the screen of `fricidctl monitor`, without a terminal: cells, places, dots, and what is known. */

#include "client/monitor/canvas.h"
#include "client/monitor/keys.h"
#include "client/monitor/layout.h"
#include "client/monitor/model.h"
#include "client/monitor/raster.h"
#include "client/monitor/view.h"
#include "client/reply.h"
#include "proto/utf8.h"

#include "run_suite.h"

#include <locale.h>
#include <math.h>
#include <string.h>

static void use_utf8(void)
{
    ck_assert_ptr_nonnull(setlocale(LC_CTYPE, "C.UTF-8"));
}

static struct canvas canvas_of(int rows, int columns)
{
    struct canvas canvas = {0};
    ck_assert_int_eq(canvas_resize(&canvas, rows, columns), 0);
    return canvas;
}

/* A row as it would be seen. */
static const char *seen(const struct canvas *canvas, int row)
{
    static char text[4096];
    text[0] = '\0';
    for (int column = 0; column < canvas->columns; column++)
        strcat(text, canvas_cell(canvas, row, column)->text);
    return text;
}

/* --- cells --- */

START_TEST(text_stays_in_its_area)
{
    struct canvas canvas = canvas_of(3, 10);
    const struct area area = {1, 2, 1, 5};
    ck_assert_int_eq(canvas_write(&canvas, area, 0, 0, STYLE_PLAIN, "abcdefgh"), 5);
    canvas_write(&canvas, area, 1, 0, STYLE_PLAIN, "below");
    canvas_write(&canvas, area, -1, 0, STYLE_PLAIN, "above");
    canvas_write(&canvas, area, 0, -3, STYLE_PLAIN, "left");
    ck_assert_str_eq(seen(&canvas, 0), "          ");
    ck_assert_str_eq(seen(&canvas, 1), "  abcde   ");
    ck_assert_str_eq(seen(&canvas, 2), "          ");
    canvas_destroy(&canvas);
}
END_TEST

START_TEST(wide_characters_stay_whole)
{
    struct canvas canvas = canvas_of(1, 6);
    const struct area area = canvas_area(&canvas);
    canvas_write(&canvas, area, 0, 1, STYLE_PLAIN, "摩擦x");
    ck_assert_str_eq(seen(&canvas, 0), " 摩擦x");
    canvas_write(&canvas, area, 0, 2, STYLE_PLAIN, "-");
    ck_assert_str_eq(seen(&canvas, 0), "  -擦x");
    ck_assert_int_eq(canvas_write(&canvas, area, 0, 5, STYLE_PLAIN, "摩"), 5);
    canvas_destroy(&canvas);
}
END_TEST

START_TEST(marks_without_end_stay_characters)
{
    struct canvas canvas = canvas_of(1, 4);
    char text[2 + 2 * 40] = "e";
    for (int i = 0; i < 40; i++)
        strcat(text, "\xCC\x81");
    ck_assert_int_eq(canvas_write(&canvas, canvas_area(&canvas), 0, 0, STYLE_PLAIN, text), 1);
    ck_assert(is_utf8(seen(&canvas, 0), strlen(seen(&canvas, 0))));
    canvas_destroy(&canvas);
}
END_TEST

START_TEST(sentences_are_shortened_between_words)
{
    struct canvas canvas = canvas_of(1, 12);
    canvas_sentence(&canvas, canvas_area(&canvas), 0, 0, STYLE_PLAIN, "f_n is 5.52045 Hz", "…");
    ck_assert_str_eq(seen(&canvas, 0), "f_n is…     ");
    canvas_clear(&canvas);
    canvas_sentence(&canvas, canvas_area(&canvas), 0, 0, STYLE_PLAIN, "5.5204512345678", "…");
    ck_assert_str_eq(seen(&canvas, 0), "            ");
    canvas_destroy(&canvas);
}
END_TEST

/* --- places --- */

static bool overlap(const struct area *one, const struct area *other)
{
    return one->row < other->row + other->rows && other->row < one->row + one->rows &&
           one->column < other->column + other->columns && other->column < one->column + one->columns;
}

static void check_layout(int rows, int columns, int channels)
{
    const struct layout layout = layout_for(rows, columns, channels);
    ck_assert(!layout.too_small);
    for (int p = 0; p < PANELS; p++) {
        const struct area *area = &layout.panels[p];
        ck_assert(area->rows >= 0 && area->row >= 0 && area->row + area->rows <= rows);
        ck_assert(area->column >= 0 && area->column + area->columns <= columns);
        for (int q = 0; q < p; q++)
            ck_assert_msg(!overlap(area, &layout.panels[q]), "%d and %d at %dx%d", p, q, columns, rows);
    }
    ck_assert_int_ge(layout.panels[PANEL_HEAD].rows, 1);
    ck_assert_int_ge(layout.panels[PANEL_CHANNELS].rows, 2);
    ck_assert_int_eq(layout.panels[PANEL_KEYS].row, rows - 1);
    /* Those that give way do so in this order. */
    static const enum panel_name order[] = {PANEL_EVENTS, PANEL_DECAY, PANEL_TRACE, PANEL_RESULTS};
    for (int i = 1; i < 4 && columns < 160; i++)
        if (layout.panels[order[i]].rows == 0)
            ck_assert_int_eq(layout.panels[order[i - 1]].rows, 0);
    /* On a larger screen no panel is missed that was there. */
    const struct layout larger = layout_for(rows + 1, columns, channels);
    for (int p = 0; p < PANELS; p++)
        ck_assert(layout.panels[p].rows == 0 || larger.panels[p].rows > 0);
}

START_TEST(panels_share_every_screen)
{
    for (int rows = LAYOUT_LEAST_ROWS; rows < 100; rows++)
        for (int columns = LAYOUT_LEAST_COLUMNS; columns < 330; columns += 7)
            for (int channels = 0; channels < 40; channels += 3)
                check_layout(rows, columns, channels);
}
END_TEST

START_TEST(usual_screens_show_everything)
{
    static const int sizes[][2] = {{24, 80}, {23, 79}, {50, 200}, {80, 300}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const struct layout layout = layout_for(sizes[i][0], sizes[i][1], 2);
        for (int p = 0; p < PANELS; p++)
            ck_assert_int_gt(layout.panels[p].rows, 0);
        /* Both channels, below their head. */
        ck_assert_int_eq(layout.panels[PANEL_CHANNELS].rows, 3);
    }
}
END_TEST

START_TEST(what_is_too_small_is_called_so)
{
    ck_assert(layout_for(14, 80, 2).too_small);
    ck_assert(layout_for(24, 59, 2).too_small);
    ck_assert(layout_for(1, 1, 2).too_small);
    ck_assert(!layout_for(15, 60, 2).too_small);
}
END_TEST

/* --- dots --- */

/* So many windows of a tenth of a second, from 0 s on, each with the value of its number. */
static struct trace trace_of(int count, float (*value)(int number))
{
    struct trace trace = {0};
    for (int i = 0; i < count; i++) {
        const struct window window = {0.1 * (i + 1), 0.1F, value(i), value(i)};
        ck_assert_int_eq(trace_add(&trace, window), 0);
    }
    return trace;
}

static float level(int number)
{
    (void)number;
    return 0.1F;
}

static float ramp(int number)
{
    return (float)number;
}

static float step(int number)
{
    return number < 5 ? 0 : 1;
}

START_TEST(a_level_is_a_line)
{
    struct canvas canvas = canvas_of(4, 10);
    struct trace trace = trace_of(10, level);
    const struct frame frame = {0, 1, -1, 1};
    raster_draw(&canvas, canvas_area(&canvas), &trace, &frame, false);
    /* 0.1 of -1 to 1 is in the 8th of 16 rows of dots: the last of the second row of characters. */
    ck_assert_str_eq(seen(&canvas, 0), "          ");
    ck_assert_str_eq(seen(&canvas, 1), "⣀⣀⣀⣀⣀⣀⣀⣀⣀⣀");
    ck_assert_str_eq(seen(&canvas, 2), "          ");
    canvas_clear(&canvas);
    raster_draw(&canvas, canvas_area(&canvas), &trace, &frame, true);
    ck_assert_str_eq(seen(&canvas, 1), "..........");
    trace_clear(&trace);
    canvas_destroy(&canvas);
}
END_TEST

START_TEST(a_step_is_one_line)
{
    struct canvas canvas = canvas_of(3, 10);
    struct trace trace = trace_of(10, step);
    const struct frame frame = {0, 1, 0, 1};
    raster_draw(&canvas, canvas_area(&canvas), &trace, &frame, true);
    ck_assert_str_eq(seen(&canvas, 0), "     :''''");
    ck_assert_str_eq(seen(&canvas, 1), "     :    ");
    ck_assert_str_eq(seen(&canvas, 2), ".....:    ");
    trace_clear(&trace);
    canvas_destroy(&canvas);
}
END_TEST

START_TEST(what_was_not_told_is_blank)
{
    struct canvas canvas = canvas_of(1, 10);
    struct trace trace = {0};
    const struct window windows[] = {{0.2, 0.1F, 0, 0}, {0.9, 0.1F, 0, 0}};
    const struct frame frame = {0, 1, -1, 1};
    trace_add(&trace, windows[0]);
    trace_add(&trace, windows[1]);
    trace_add(&trace, (struct window){1.0, 0.1F, NAN, NAN});
    raster_draw(&canvas, canvas_area(&canvas), &trace, &frame, true);
    ck_assert_str_eq(seen(&canvas, 0), " .      . ");
    trace_clear(&trace);
    canvas_destroy(&canvas);
}
END_TEST

/* The terminal, or this program, was busy for half a second: what was told meanwhile comes at once. */
START_TEST(late_windows_are_where_they_were)
{
    static const double told_s[] = {0.1, 0.7, 0.7, 0.7, 0.7, 0.7, 0.7, 0.801};
    struct trace trace = {0};
    for (size_t i = 0; i < sizeof told_s / sizeof told_s[0]; i++)
        ck_assert_int_eq(trace_add(&trace, (struct window){told_s[i], 0.1F, (float)i, (float)i}), 0);
    for (size_t i = 0; i + 1 < trace.count; i++)
        ck_assert_double_eq_tol(trace_at(&trace, i)->end_s, 0.1 * (double)(i + 1), 1e-6);
    trace_clear(&trace);
}
END_TEST

START_TEST(the_oldest_windows_give_way)
{
    struct trace trace = trace_of(40000, ramp);
    double least, most;
    ck_assert_uint_eq(trace.count, 18000);
    ck_assert_float_eq(trace_at(&trace, 0)->least, 22000);
    ck_assert(trace_reach(&trace, 3000.05, 3000.15, &least, &most));
    ck_assert_double_eq(least, 30000);
    ck_assert_double_eq(most, 30001);
    ck_assert(!trace_reach(&trace, 4001, 4002, &least, &most));
    ck_assert(!trace_reach(&trace, 0, 1, &least, &most));
    trace_clear(&trace);
    ck_assert(!trace_reach(&trace, 0, 1e9, &least, &most));
}
END_TEST

START_TEST(numbers_along_an_axis_are_round)
{
    static const struct {
        double low, high;
        int most;
        double step;
        int decimals;
    } cases[] = {
        {0, 10, 5, 2, 0}, {-20, 0, 4, 5, 0}, {0, 1, 5, 0.2, 1}, {3, 3.07, 7, 0.01, 2}, {-7e4, 5e4, 5, 50000, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct ticks ticks = ticks_for(cases[i].low, cases[i].high, cases[i].most);
        ck_assert_double_eq_tol(ticks.step, cases[i].step, 1e-9 * cases[i].step);
        ck_assert_int_eq(ticks.decimals, cases[i].decimals);
    }
}
END_TEST

/* --- what is known --- */

static struct model new_model(void)
{
    struct model model;
    ck_assert_int_eq(model_open(&model, glyphs_for(true)), 0);
    return model;
}

/* Takes a notification over. */
static void tell(struct model *model, const char *method, json_t *params, double now_s)
{
    json_t *message = json_pack("{s:s,s:o}", "method", method, "params", params);
    ck_assert_ptr_nonnull(message);
    model_take(model, message, now_s);
    json_decref(message);
}

static json_t *state_of(const char *phase, double amplitude)
{
    return json_pack("{s:s,s:f,s:f}", "phase", phase, "amplitude", amplitude, "noise_floor", 0.01);
}

static void tell_signal(struct model *model, const char *rig, const char *channel, double value, double now_s)
{
    json_t *measured = json_pack("{s:f,s:f,s:f}", "window_s", 0.1, "min", value - 1, "max", value + 1);
    tell(model, "notify.signal",
         json_pack("{s:s,s:s,s:s,s:o,s:o}", "rig", rig, "channel", channel, "unit", "mm", "signal", measured, "state",
                   state_of("idle", 0)),
         now_s);
}

static void tell_progress(struct model *model, const char *phase, double amplitude, double now_s)
{
    tell(model, "notify.progress",
         json_pack("{s:s,s:s,s:o}", "rig", "bearing", "channel", "lvdt", "state", state_of(phase, amplitude)), now_s);
}

/* A status of one rig with these channels. */
static void take_status_of(struct model *model, const char *one, const char *other)
{
    json_t *status =
        json_pack("{s:[{s:s,s:s,s:{s:i,s:i},s:[{s:s},{s:s}]}]}", "rigs", "name", "bearing", "condition", "running",
                  "counters", "lost_scans", 3, "decays_lost", 1, "channels", "name", one, "name", other);
    ck_assert_ptr_nonnull(status);
    model_take_status(model, status);
    json_decref(status);
}

static const char *name_at(const struct model *model, size_t i)
{
    ck_assert_uint_lt(i, model->channel_count);
    return reply_text(model->channels[i].facts, "channel", "");
}

START_TEST(channels_are_those_of_the_status)
{
    struct model model = new_model();
    tell_signal(&model, "bearing", "encoder", 5, 1);
    tell_signal(&model, "bearing", "gone", 5, 1);
    take_status_of(&model, "lvdt", "encoder");
    ck_assert_uint_eq(model.channel_count, 2);
    ck_assert_str_eq(name_at(&model, 0), "lvdt");
    ck_assert_str_eq(name_at(&model, 1), "encoder");
    /* What was told before the status stays with its channel. */
    ck_assert_uint_eq(model.channels[1].trace.count, 1);
    ck_assert_float_eq(trace_at(&model.channels[1].trace, 0)->most, 6);
    take_status_of(&model, "encoder", "lvdt");
    ck_assert_str_eq(name_at(&model, 0), "encoder");
    ck_assert_uint_eq(model.channels[0].trace.count, 1);
    ck_assert_int_eq(model_losses(&model).scans, 3);
    ck_assert_int_eq(model_losses(&model).decays, 1);
    model_close(&model);
}
END_TEST

START_TEST(a_rig_without_channels_is_there)
{
    struct model model = new_model();
    json_t *status = json_pack("{s:[{s:s,s:s,s:[]}]}", "rigs", "name", "dead", "condition", "failed", "channels");
    model_take_status(&model, status);
    json_decref(status);
    ck_assert_uint_eq(model.channel_count, 1);
    ck_assert_str_eq(reply_text(model.channels[0].facts, "rig", ""), "dead");
    ck_assert_str_eq(reply_text(model.channels[0].facts, "condition", ""), "failed");
    model_close(&model);
}
END_TEST

START_TEST(a_decay_is_followed_from_its_first_amplitude)
{
    struct model model = new_model();
    tell_progress(&model, "held", 0, 1);
    ck_assert(!model.channels[0].decay.running);
    tell_progress(&model, "decaying", 8, 2);
    tell_progress(&model, "decaying", 6, 3);
    ck_assert(model.channels[0].decay.running);
    ck_assert_double_eq(model.channels[0].decay.first_amplitude, 8);
    tell_progress(&model, "idle", 0, 4);
    ck_assert(!model.channels[0].decay.running);
    tell_progress(&model, "decaying", 5, 5);
    ck_assert_double_eq(model.channels[0].decay.first_amplitude, 5);
    model_close(&model);
}
END_TEST

/* A result of so many figures that it has a row. */
static void take_result_of(struct model *model, int id, double f_n)
{
    json_t *fit = json_pack("{s:{s:f,s:f}}", "f_n_hz", "value", f_n, "se", 0.001);
    json_t *result = json_pack("{s:i,s:s,s:s,s:s,s:s,s:o}", "id", id, "rig", "bearing", "channel", "lvdt", "verdict",
                               "ok", "recommended", "fit", "fit", fit);
    ck_assert_ptr_nonnull(result);
    model_take_result(model, result);
    json_decref(result);
}

START_TEST(results_are_in_the_order_of_their_ids)
{
    struct model model = new_model();
    for (int id = 1; id <= 100; id += 2)
        take_result_of(&model, id, 5.5);
    for (int id = 100; id >= 2; id -= 2)
        take_result_of(&model, id, 5.5);
    take_result_of(&model, 90, 7.25);
    ck_assert_uint_eq(json_array_size(model.results), MODEL_RESULTS);
    for (size_t i = 0; i < MODEL_RESULTS; i++)
        ck_assert_int_eq(reply_integer(json_array_get(model.results, i), "id", 0), 100 - (int64_t)i);
    ck_assert_str_eq(reply_text(json_array_get(model.results, 10), "f_n_hz", ""), "7.2500(10) Hz");
    model_close(&model);
}
END_TEST

START_TEST(events_are_bounded_and_the_newest_is_first)
{
    struct model model = new_model();
    for (int i = 0; i < 1000; i++)
        tell(&model, "notify.event", json_pack("{s:{s:i}}", "event", "count", i), i);
    tell(&model, "notify.dropped", json_pack("{s:s}", "reason", "too slow"), 1000);
    tell(&model, "notify.of_a_newer_daemon", json_pack("{s:i}", "x", 1), 1000);
    ck_assert_uint_eq(json_array_size(model.events), MODEL_EVENTS);
    ck_assert_str_eq(reply_text(json_array_get(model.events, 0), "sentence", ""), "too slow");
    ck_assert_int_eq(reply_integer(json_array_get(model.events, 1), "count", 0), 999);
    model_close(&model);
}
END_TEST

START_TEST(strange_messages_do_no_harm)
{
    struct model model = new_model();
    static const char *const methods[] = {"notify.signal", "notify.progress", "notify.result", "notify.event",
                                          "notify.dropped"};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        tell(&model, methods[i], json_null(), 1);
        tell(&model, methods[i], json_array(), 1);
        tell(&model, methods[i], json_pack("{s:i,s:[],s:i,s:s}", "rig", 1, "signal", "result", 3, "event", "x"), 1);
    }
    ck_assert(!model.failed);
    ck_assert_uint_eq(json_array_size(model.results), 0);
    ck_assert_uint_eq(json_array_size(model.events), 1); /* that notifications were dropped */
    json_t *status = json_pack("{s:[n,i,{},{s:[n,{}]}]}", "rigs", 3, "channels");
    model_take_status(&model, status);
    json_decref(status);
    model_close(&model);
}
END_TEST

/* --- what is chosen --- */

START_TEST(the_newest_result_stays_chosen_and_another_stays_itself)
{
    struct model model = new_model();
    struct view view = {.focus = FOCUS_RESULTS};
    for (int id = 1; id <= 5; id++)
        take_result_of(&model, id, 5.5);
    keys_press(&view, &model, PRESSED_ENTER, 1);
    ck_assert_int_eq(view.asked_id, 5);
    keys_press(&view, &model, 'q', 1);
    ck_assert(!view.quit && view.page == PAGE_PANELS);
    keys_press(&view, &model, PRESSED_DOWN, 1);
    take_result_of(&model, 6, 5.5);
    ck_assert_uint_eq(view_chosen_result(&view, &model), 2);
    keys_press(&view, &model, PRESSED_ENTER, 1);
    ck_assert_int_eq(view.asked_id, 4);
    keys_press(&view, &model, PRESSED_ESCAPE, 1);
    keys_press(&view, &model, PRESSED_PAGE_UP, 1);
    take_result_of(&model, 7, 5.5);
    ck_assert_uint_eq(view_chosen_result(&view, &model), 0);
    keys_press(&view, &model, 'q', 1);
    ck_assert(view.quit);
    view_close(&view);
    model_close(&model);
}
END_TEST

START_TEST(no_key_leaves_what_there_is)
{
    struct model model = new_model();
    struct view view = {0};
    take_status_of(&model, "lvdt", "encoder");
    static const int keys[] = {
        PRESSED_DOWN, PRESSED_DOWN, PRESSED_DOWN, PRESSED_PAGE_DOWN, '+', '+', '+', '+', '+', '+', '+', '+', '+', '+',
        PRESSED_TAB,  PRESSED_UP,   PRESSED_DOWN, PRESSED_ENTER,     'x', 0};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        keys_press(&view, &model, keys[i], 1);
    ck_assert_uint_eq(view.channel, 1);
    ck_assert_uint_eq(view.span, VIEW_SPANS - 1);
    ck_assert_int_eq(view.page, PAGE_PANELS); /* there is no result to open */
    for (int i = 0; i < 20; i++)
        keys_press(&view, &model, '-', 1);
    ck_assert_uint_eq(view.span, 0);
    model.channel_count = 1;
    view_follow(&view, &model);
    ck_assert_uint_eq(view.channel, 0);
    model.channel_count = 2;
    view_close(&view);
    model_close(&model);
}
END_TEST

START_TEST(a_chosen_channel_stays_itself)
{
    struct model model = new_model();
    struct view view = {0};
    take_status_of(&model, "lvdt", "encoder");
    view_follow(&view, &model);
    keys_press(&view, &model, PRESSED_DOWN, 1);
    take_status_of(&model, "encoder", "lvdt");
    view_follow(&view, &model);
    ck_assert_str_eq(name_at(&model, view.channel), "encoder");
    /* One that is gone leaves its place to another. */
    take_status_of(&model, "laser", "lvdt");
    view_follow(&view, &model);
    ck_assert_uint_eq(view.channel, 0);
    take_status_of(&model, "lvdt", "laser");
    view_follow(&view, &model);
    ck_assert_str_eq(name_at(&model, view.channel), "laser");
    view_close(&view);
    model_close(&model);
}
END_TEST

static void add_model(Suite *suite)
{
    TCase *known = tcase_create("what is known");
    tcase_add_test(known, channels_are_those_of_the_status);
    tcase_add_test(known, a_rig_without_channels_is_there);
    tcase_add_test(known, a_decay_is_followed_from_its_first_amplitude);
    tcase_add_test(known, results_are_in_the_order_of_their_ids);
    tcase_add_test(known, events_are_bounded_and_the_newest_is_first);
    tcase_add_test(known, strange_messages_do_no_harm);
    tcase_add_test(known, the_newest_result_stays_chosen_and_another_stays_itself);
    tcase_add_test(known, no_key_leaves_what_there_is);
    tcase_add_test(known, a_chosen_channel_stays_itself);
    suite_add_tcase(suite, known);
}

int main(void)
{
    Suite *suite = suite_create("monitor");
    TCase *drawn = tcase_create("what is drawn");
    tcase_add_checked_fixture(drawn, use_utf8, NULL);
    tcase_add_test(drawn, text_stays_in_its_area);
    tcase_add_test(drawn, wide_characters_stay_whole);
    tcase_add_test(drawn, marks_without_end_stay_characters);
    tcase_add_test(drawn, sentences_are_shortened_between_words);
    tcase_add_test(drawn, panels_share_every_screen);
    tcase_add_test(drawn, usual_screens_show_everything);
    tcase_add_test(drawn, what_is_too_small_is_called_so);
    tcase_add_test(drawn, a_level_is_a_line);
    tcase_add_test(drawn, a_step_is_one_line);
    tcase_add_test(drawn, what_was_not_told_is_blank);
    tcase_add_test(drawn, late_windows_are_where_they_were);
    tcase_add_test(drawn, the_oldest_windows_give_way);
    tcase_add_test(drawn, numbers_along_an_axis_are_round);
    suite_add_tcase(suite, drawn);
    add_model(suite);
    return run_suite(suite);
}
