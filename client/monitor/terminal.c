/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The screen through ncurses, which sends to the terminal what has changed and nothing else. */

#include "client/monitor/terminal.h"

#include "client/monitor/keys.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

/* How a style looks, with colours and without. */
struct look {
    short pair; /* 0: the terminal's own colours */
    short colour;
    attr_t attributes, without_colours;
};

static const struct look looks[STYLES] = {
    [STYLE_PLAIN] = {0},
    [STYLE_QUIET] = {.attributes = A_DIM, .without_colours = A_DIM},
    [STYLE_STRONG] = {.attributes = A_BOLD, .without_colours = A_BOLD},
    [STYLE_BAR] = {.attributes = A_REVERSE, .without_colours = A_REVERSE},
    [STYLE_GOOD] = {1, COLOR_GREEN, 0, 0},
    [STYLE_BAD] = {2, COLOR_RED, A_BOLD, A_BOLD},
    [STYLE_ACTIVE] = {3, COLOR_YELLOW, 0, A_BOLD},
    [STYLE_TRACE] = {4, COLOR_CYAN, 0, 0},
};

/* Ctrl-L: everything is sent again, because something else has written on the screen. */
enum { REDRAW = 'L' - '@' };

/* A key of a terminal and what it is here. */
static const struct {
    int code, key;
} special_keys[] = {
    {KEY_UP, PRESSED_UP},       {KEY_DOWN, PRESSED_DOWN}, {KEY_PPAGE, PRESSED_PAGE_UP}, {KEY_NPAGE, PRESSED_PAGE_DOWN},
    {KEY_ENTER, PRESSED_ENTER}, {'\r', PRESSED_ENTER},    {'\n', PRESSED_ENTER},        {'\t', PRESSED_TAB},
    {KEY_BTAB, PRESSED_TAB},    {27, PRESSED_ESCAPE},
};

struct terminal {
    SCREEN *screen;
    int output;              /* standard output as it was */
    struct termios settings; /* of the terminal, before */
    bool coloured;
    struct canvas shown; /* what stands on the screen */
};

/* Of a signal that ends the program while a picture is being sent. A terminal that takes nothing, because the line to
 * it is dead, would keep it for ever: ncurses tries again whatever interrupts it. */
static void send_nowhere(int signal)
{
    const int error = errno, nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    (void)signal;
    if (nowhere >= 0 && nowhere != STDOUT_FILENO) {
        dup2(nowhere, STDOUT_FILENO);
        close(nowhere);
    }
    errno = error;
}

/* They are blocked but while a picture is being sent. */
static void take_signals(bool take)
{
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    const struct sigaction action = {.sa_handler = send_nowhere};
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof ending / sizeof ending[0]; i++) {
        sigaction(ending[i], &action, NULL);
        sigaddset(&set, ending[i]);
    }
    sigprocmask(take ? SIG_UNBLOCK : SIG_BLOCK, &set, NULL);
}

static bool was_ended(const struct terminal *terminal)
{
    struct stat now, before;
    return fstat(STDOUT_FILENO, &now) == 0 && fstat(terminal->output, &before) == 0 && now.st_rdev != before.st_rdev;
}

/* Where a picture was broken off. */
static void give_back_output(const struct terminal *terminal)
{
    struct pollfd output = {.fd = terminal->output, .events = POLLOUT};
    if (poll(&output, 1, 0) > 0 && output.revents & POLLOUT)
        dup2(terminal->output, STDOUT_FILENO);
    else /* what ncurses says to nowhere changes nothing */
        tcsetattr(STDIN_FILENO, TCSANOW, &terminal->settings);
}

/* Ctrl-S would stop the output: drawing would wait for it, and so would the signals, which are read between pictures.
 */
static void let_output_flow(void)
{
    struct termios settings;
    if (tcgetattr(STDIN_FILENO, &settings) < 0)
        return;
    settings.c_iflag &= ~(tcflag_t)IXON;
    if (tcsetattr(STDIN_FILENO, TCSANOW, &settings) == 0)
        def_prog_mode();
}

static void take_screen(struct terminal *terminal, bool coloured)
{
    cbreak();
    noecho();
    nonl();
    let_output_flow();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    /* An escape sequence comes in one piece; a lone Esc shall not be waited with, ms. */
    set_escdelay(50);
    curs_set(0);
    terminal->coloured = coloured && has_colors() && start_color() == OK && use_default_colors() == OK;
    for (int i = 0; terminal->coloured && i < STYLES; i++)
        if (looks[i].pair > 0)
            init_pair(looks[i].pair, looks[i].colour, -1);
}

struct terminal *terminal_open(bool coloured)
{
    struct terminal *terminal = calloc(1, sizeof *terminal);
    if (!terminal)
        return NULL;
    tcgetattr(STDIN_FILENO, &terminal->settings);
    terminal->output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    terminal->screen = terminal->output >= 0 ? newterm(NULL, stdout, stdin) : NULL;
    if (terminal->screen) {
        take_screen(terminal, coloured);
        return terminal;
    }
    if (terminal->output >= 0)
        close(terminal->output);
    free(terminal);
    return NULL;
}

void terminal_close(struct terminal *terminal)
{
    if (!terminal)
        return;
    if (was_ended(terminal))
        give_back_output(terminal);
    endwin();
    delscreen(terminal->screen);
    close(terminal->output);
    canvas_destroy(&terminal->shown);
    free(terminal);
}

void terminal_size(const struct terminal *terminal, int *rows, int *columns)
{
    struct winsize size;
    (void)terminal;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0)
        resizeterm(size.ws_row, size.ws_col);
    getmaxyx(stdscr, *rows, *columns);
}

static void set_look(const struct terminal *terminal, unsigned style)
{
    const struct look *look = &looks[style & ~(unsigned)STYLE_CHOSEN];
    const attr_t chosen = style & STYLE_CHOSEN ? A_REVERSE : 0;
    const attr_t attributes = terminal->coloured ? look->attributes : look->without_colours;
    attr_set(attributes | chosen, terminal->coloured ? look->pair : 0, NULL);
}

/* A screen of another size is drawn anew. 0, or -ENOMEM. */
static int follow_size(struct terminal *terminal, const struct canvas *canvas)
{
    struct canvas *shown = &terminal->shown;
    if (shown->rows == canvas->rows && shown->columns == canvas->columns)
        return 0;
    clear();
    return canvas_resize(shown, canvas->rows, canvas->columns);
}

static void show_row(struct terminal *terminal, const struct canvas *canvas, int row)
{
    for (int column = 0; column < canvas->columns && column < COLS; column++) {
        const struct cell *cell = canvas_cell(canvas, row, column);
        if (memcmp(cell, canvas_cell(&terminal->shown, row, column), sizeof *cell) == 0)
            continue;
        set_look(terminal, cell->style);
        if (*cell->text)
            mvaddstr(row, column, cell->text);
    }
}

int terminal_show(struct terminal *terminal, const struct canvas *canvas)
{
    if (follow_size(terminal, canvas) < 0)
        return -ENOMEM;
    for (int row = 0; row < canvas->rows && row < LINES; row++)
        show_row(terminal, canvas, row);
    canvas_copy(&terminal->shown, canvas);
    take_signals(true);
    refresh();
    take_signals(false);
    if (was_ended(terminal))
        return -EINTR;
    struct pollfd output = {.fd = STDOUT_FILENO};
    if (poll(&output, 1, 0) > 0 && output.revents & (POLLERR | POLLHUP | POLLNVAL))
        return -EIO;
    return 0;
}

int terminal_key(const struct terminal *terminal)
{
    (void)terminal;
    const int code = getch();
    if (code == REDRAW)
        clearok(curscr, TRUE);
    for (size_t i = 0; i < sizeof special_keys / sizeof special_keys[0]; i++)
        if (special_keys[i].code == code)
            return special_keys[i].key;
    return code == ERR || code >= KEY_MIN ? 0 : code;
}
