# SPDX-License-Identifier: GPL-3.0-or-later
"""fricidctl monitor in a real terminal: what it shows, what its keys do, and how it leaves."""

import os
import pty
import re
import select
import signal
import subprocess
import termios
import threading
import time
import unittest

import sample_replies as samples
from fake_fricidd import FakeFricidd, Refusal, line, notification
from fricid_harness import FRICIDCTL, PATIENCE_S, Daemon, seconds, simulated_rig
from run_tests import main
from tmux_screen import Screen

# A rig that is let go again and again, for as long as any test takes.
RIG = simulated_rig(real_time=True, duration_s=100000.0)
NO_MONITOR = b"built without ncurses" in subprocess.run([FRICIDCTL, "monitor"], capture_output=True, check=False).stderr


def monitor(daemon, **options):
    path = daemon if isinstance(daemon, str) else daemon.socket_path
    return Screen(FRICIDCTL, "--socket", path, "monitor", **options)


def kill(screen, number):
    """Sends a signal to the monitor, the shell's only child."""
    shell = int(screen.tmux("display-message", "-p", "#{pane_pid}"))
    with open(f"/proc/{shell}/task/{shell}/children", encoding="utf-8") as children:
        os.kill(int(children.read().split()[0]), number)


def words_in_order(text, *words):
    places = [text.find(word) for word in words]
    return -1 not in places and places == sorted(places)


@unittest.skipIf(NO_MONITOR, "fricidctl was built without ncurses")
@unittest.skipUnless(Screen.is_there(), "tmux is not installed")
class Monitor(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon(RIG)
        cls.daemon.__enter__()
        cls.addClassCleanup(cls.daemon.__exit__, None, None, None)

    def assert_whole(self, text, columns, rows):
        """It fills the screen, and no line is longer than that."""
        lines = text.splitlines()
        self.assertLessEqual(len(lines), rows)
        self.assertTrue(all(len(each) <= columns for each in lines), text)
        self.assertIn("fricidd", lines[0])
        self.assertRegex(lines[0], r"\d\d:\d\d:\d\d UTC")
        self.assertIn("q quit", lines[rows - 1])

    def test_a_usual_terminal(self):
        with monitor(self.daemon) as screen:
            text = screen.wait_for(r"^▸ bearing +lvdt .* mm ", "encoder", r"ok", r"[⠀-⣿]", r"#\d+ .* ok .*Hz", "Events")
            self.assert_whole(text, 80, 24)
            self.assertTrue(words_in_order(text, "SIMULATED", "nothing lost", "CHANNEL", "bearing lvdt, mm, last 20 s", " 0 s\n", "VERDICT",
                                           "Events"), text)
            self.assertRegex(text, r"\d\.\d+\(\d+\) Hz")
            self.assertNotIn("f_k", text)

    def test_a_large_terminal(self):
        with monitor(self.daemon, columns=200, rows=50) as screen:
            text = screen.wait_for(r"^▸ bearing", r"#\d+ .*ok .*Hz .* mm .* N$", r"[⠀-⣿]")
            self.assert_whole(text, 200, 50)
            # The signal to the left of the results.
            self.assertTrue(any("last 20 s" in each and "f_k" in each for each in text.splitlines()), text)

    def test_it_lives(self):
        """Values change, a decay runs, and its result appears on top."""
        with monitor(self.daemon) as screen:
            text = screen.wait_for(r"#(\d+) .* ok .*Hz")
            newest = max(map(int, re.findall(r"#(\d+)", text)))
            screen.wait_for(r"decaying, half cycle \d+, \d.* mm, 5\.5\d Hz +█")
            screen.wait_for(rf"▸ #({'|'.join(str(newest + i) for i in range(1, 100))}) ")
            values = {re.search(r"lvdt +(−?[\d.]+) mm", screen.wait_for(r"lvdt +−?[\d.]+ mm"))[1]}
            for _ in range(2):
                text = screen.wait_for(r"lvdt +−?[\d.]+ mm", without=[rf"lvdt +{re.escape(value)} mm" for value in values])
                values.add(re.search(r"lvdt +(−?[\d.]+) mm", text)[1])

    def test_other_sizes(self):
        with monitor(self.daemon, columns=60, rows=15) as screen:
            text = screen.wait_for("bearing +lvdt", r"#\d+ .* ok")
            self.assert_whole(text, 60, 15)
            self.assertNotIn("Events", text)
            for columns, rows in ((79, 23), (300, 80), (120, 40), (60, 40), (200, 15), (80, 24)):
                screen.resize(columns, rows)
                text = screen.wait_for(rf"\A(?=.{{{columns - 20},}}UTC)(?:.*\n){{{rows - 1}}} q quit", "bearing +lvdt")
                self.assert_whole(text, columns, rows)

    def test_too_small(self):
        with monitor(self.daemon) as screen:
            screen.wait_for("q quit")
            screen.resize(50, 24)
            screen.wait_for("needs 60 columns and 15 lines; here\n  are 50 and 24", without=["CHANNEL"])
            screen.resize(1, 1)
            screen.resize(80, 24)
            screen.wait_for("CHANNEL", "q quit")
            screen.press("q")
            screen.wait_for_the_end()

    def test_keys(self):
        with monitor(self.daemon) as screen:
            screen.wait_for(r"▸ #\d+", "last 20 s")
            screen.press("+")
            screen.wait_for("last 60 s")
            screen.press("[", "[", "-")
            screen.wait_for("last 5 s")
            screen.press("Down")
            screen.wait_for(r"▸ bearing +encoder", "bearing encoder, mm, last 5 s")
            screen.press("Space")
            screen.wait_for(r"frozen \d+ s ago")
            screen.press("Space")
            screen.wait_for("last 5 s", without=["frozen"])
            screen.press("?")
            screen.wait_for("ends the monitor", "goes back to the panels", without=["CHANNEL"])
            screen.press("Escape")
            screen.wait_for("CHANNEL")

    def test_what_others_wrote_on_the_screen_goes(self):
        with monitor(self.daemon) as screen:
            screen.wait_for("CHANNEL")
            # While the monitor is stopped: it may draw there.
            kill(screen, signal.SIGSTOP)
            with open(screen.tmux("display-message", "-p", "#{pane_tty}").strip(), "w", encoding="utf-8") as terminal:
                terminal.write("\x1b[2;30Hsomebody else")
            screen.wait_for("somebody else")
            kill(screen, signal.SIGCONT)
            screen.press("C-l")
            screen.wait_for("CHANNEL", without=["somebody else"])

    def test_a_result_opens(self):
        self.daemon.wait_for_results(4)
        with monitor(self.daemon) as screen:
            screen.wait_for(r"▸ #\d+ ")
            screen.press("Tab")
            screen.press_until("PageDown", r"▸ #1 ")
            screen.press("Enter")
            text = screen.wait_for("decay 1, run", "viscous")
            self.assertNotIn("VERDICT", text)
            shown = self.daemon.fricidctl("show", "1", "--intervals").stdout
            shown = shown if isinstance(shown, str) else shown.decode()
            self.assertIn(" ".join(text.splitlines()[1].split())[:50], " ".join(shown.split()))
            screen.press("Down")
            screen.wait_for(r"\A.*\n(?!decay 1)")
            screen.press("q")
            screen.wait_for("VERDICT", r"▸ #1 ")

    def test_it_leaves_the_terminal_as_it_was(self):
        for end in ("q", "C-c"):
            with monitor(self.daemon) as screen:
                screen.wait_for("q quit", without=["before"])
                screen.press(end)
                text = screen.wait_for_the_end()
                self.assertEqual(text.split(), ["before", "status", "0"])
                self.assertEqual(screen.tmux("display-message", "-p", "#{alternate_on} #{cursor_flag}").split(), ["0", "1"])

    def test_a_signal_ends_it(self):
        for number in (signal.SIGTERM, signal.SIGHUP):
            with monitor(self.daemon) as screen:
                screen.wait_for("q quit")
                kill(screen, number)
                self.assertEqual(screen.wait_for_the_end().split(), ["before", "status", "0"])

    def test_no_key_stops_it(self):
        """Ctrl-S stops what other programs write, and would hold up signals."""
        with monitor(self.daemon) as screen:
            screen.wait_for("q quit")
            screen.press("C-s", "?")
            screen.wait_for("ends the monitor")
            kill(screen, signal.SIGTERM)
            screen.wait_for_the_end()

    def test_the_terminal_goes(self):
        mine, its = pty.openpty()
        command = [FRICIDCTL, "--socket", self.daemon.socket_path, "monitor"]
        with subprocess.Popen(command, stdin=its, stdout=its, stderr=subprocess.PIPE, env=os.environ | {"TERM": "xterm"},
                              start_new_session=True, text=True) as process:
            os.close(its)
            os.read(mine, 1)
            os.close(mine)
            said = process.communicate(timeout=seconds(PATIENCE_S))[1]
        self.assertEqual((process.returncode, said), (1, "fricidctl: the terminal went away\n"))

    def test_a_terminal_that_takes_nothing_keeps_nobody(self):
        """As behind a line that is dead: nobody reads, and nobody hangs up."""
        mine, its = pty.openpty()
        before = termios.tcgetattr(its)
        command = [FRICIDCTL, "--socket", self.daemon.socket_path, "monitor"]
        with subprocess.Popen(command, stdin=its, stdout=its, stderr=subprocess.DEVNULL,
                              env=os.environ | {"TERM": "xterm"}, start_new_session=True) as process:
            os.read(mine, 1)
            output = select.poll()
            output.register(its, select.POLLOUT)

            deadline = time.monotonic() + seconds(PATIENCE_S)
            while output.poll(0):
                self.assertLess(time.monotonic(), deadline)
                os.write(mine, b"\x0c")  # Ctrl-L: everything is drawn anew
                time.sleep(0.02)
            time.sleep(0.3)  # and a picture that waits for it
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(timeout=seconds(PATIENCE_S)), 0)
        self.assertEqual(termios.tcgetattr(its)[3], before[3])
        os.close(its)
        os.close(mine)

    def test_without_unicode(self):
        with monitor(self.daemon, LC_ALL="C") as screen:
            text = screen.wait_for(r"> bearing +lvdt", r"#\d+ .* ok", r"\|[ .':]*[.':]", "up/down choose")
            self.assertTrue(text.isascii(), text)

    def test_colours(self):
        with monitor(self.daemon) as screen:
            screen.wait_for("\x1b\\[[0-9;]*32mok", options=["-e"])
        with monitor(self.daemon, NO_COLOR="1") as screen:
            text = screen.wait_for(r"#\d+ .* ok", options=["-e"])
            self.assertNotRegex(text, "\x1b\\[[0-9;]*3[1-7]m")

    def test_no_terminal_to_draw_on(self):
        def run(**environment):
            return subprocess.run([FRICIDCTL, "--socket", self.daemon.socket_path, "monitor"], capture_output=True,
                                  check=False, text=True, stdin=subprocess.DEVNULL, timeout=seconds(PATIENCE_S),
                                  env=os.environ | environment)
        done = run(TERM="xterm")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("needs a terminal", done.stderr)
        for name, sentence in (("dumb", "cannot draw on the terminal 'dumb'"), ("no-such", "does not know the terminal 'no-such'"),
                               ("", "TERM is not set")):
            with monitor(self.daemon, TERM=name) as screen:
                screen.wait_for(sentence)
                screen.wait_for_the_end(1)

    def test_json_is_refused(self):
        done = self.daemon.fricidctl("--json", "monitor")
        self.assertEqual(done.returncode, 2)
        self.assertIn("watch", done.stderr)


@unittest.skipIf(NO_MONITOR, "fricidctl was built without ncurses")
@unittest.skipUnless(Screen.is_there(), "tmux is not installed")
class Troubles(unittest.TestCase):
    def test_no_daemon(self):
        with monitor("/nonexistent/socket") as screen:
            screen.wait_for("no fricidd answers")
            screen.wait_for_the_end(3)

    def test_the_daemon_goes_and_comes_back(self):
        with Daemon(RIG) as daemon:
            with monitor(daemon) as screen:
                screen.wait_for(r"▸ #\d+ .* ok")
                daemon.process.kill()
                daemon.process.wait()
                screen.wait_for("no connection")
                daemon.__enter__()
                screen.wait_for("nothing lost", r"▸ #\d+ .* ok", r"bearing +lvdt", without=["no connection"])
                screen.press("q")
                screen.wait_for_the_end()

    def test_a_daemon_that_hangs(self):
        with Daemon(RIG) as daemon:
            with monitor(daemon) as screen:
                screen.wait_for(r"bearing +lvdt")
                daemon.process.send_signal(signal.SIGSTOP)
                screen.wait_for("has said nothing for")
                screen.press("?")
                screen.wait_for("ends the monitor")
                daemon.process.send_signal(signal.SIGCONT)
                screen.wait_for("nothing lost")

    def fake(self, told, **methods):
        """A daemon with one rig that answers these methods, and tells this to who subscribes."""
        status = samples.status(samples.rig())
        return FakeFricidd({"status": lambda _: status, "results.list": lambda _: {"results": []},
                            "subscribe": lambda _: {}} | {name.replace("_", "."): act for name, act in methods.items()},
                           after={"subscribe": b"".join(map(line, told))})

    def test_a_page_shows_what_was_asked_for_it(self):
        """Another result is opened while the first one is still to come."""
        asked, goes_on = threading.Event(), threading.Event()

        def get(params):
            if params["id"] == 118:
                asked.set()
                goes_on.wait(seconds(PATIENCE_S))
            return samples.result(params["id"]) | {"run_id": params["id"] - 100}

        def run(params):
            return {"traces": [{"id": 1000 + params["run_id"], "channel": "other"}]}
        told = [notification("notify.result", seq=number, result=samples.result(number)) for number in (117, 118)]
        with self.fake(told, results_get=get, runs_get=run) as fake, monitor(fake.path) as screen:
            screen.wait_for(r"▸ #118 ", "#117 ")
            screen.press("Tab", "Enter")
            self.assertTrue(asked.wait(seconds(PATIENCE_S)))
            screen.press("q", "Down", "Enter")
            screen.wait_for("asked for it")
            goes_on.set()
            screen.wait_for(r"decay 117, run 17, with decay 1017 \(other\)")
            screen.press("q")
            screen.wait_for("VERDICT")
            screen.press("q")
            screen.wait_for_the_end()

    def test_a_first_answer_is_not_ok_yet(self):
        results = (samples.result(117), samples.result(118) | {"provisional": True})
        told = [notification("notify.result", seq=seq, result=result) for seq, result in enumerate(results, 1)]
        with self.fake(told) as fake, monitor(fake.path) as screen:
            screen.wait_for(r"#118 .* provisional ", r"#117 .* ok ")
            screen.press("q")
            screen.wait_for_the_end()

    def test_what_tells_results_apart_stays(self):
        """Of two rigs with two channels in a usual terminal; of one rig there is room for x_k instead."""
        for second, there, not_there in (("spindle", r"RIG +CHANNEL +VERDICT +f_n +ζ *$", "x_k *$"),
                                         ("bearing", r"VERDICT +f_n +ζ +x_k *$", "RESULT +RIG")):
            results = [samples.result(117), samples.result(118) | {"rig": second, "channel": "encoder"}]
            told = [notification("notify.result", seq=seq, result=result) for seq, result in enumerate(results, 1)]
            with self.fake(told) as fake, monitor(fake.path) as screen:
                screen.wait_for(r"#118 ", r"#117 ", there, without=[not_there])
                screen.press("q")
                screen.wait_for_the_end()

    def test_a_refusal_stays(self):
        def get(_):
            raise Refusal(-32004, "not_found", "this result was removed")
        with self.fake([notification("notify.result", seq=1, result=samples.result())], results_get=get) as fake:
            with monitor(fake.path) as screen:
                screen.wait_for(r"▸ #117 ")
                screen.press("Tab", "Enter")
                screen.wait_for("this result was removed")
                screen.resize(90, 24)
                screen.wait_for(r"\A.{80,}UTC", "this result was removed", without=["asked for it"])
                screen.resize(80, 24)
                screen.press("q")
                screen.wait_for("VERDICT")
                screen.press("q")
                screen.wait_for_the_end()

    def test_small_numbers_stand_at_the_axis(self):
        """Micrometres in metres."""
        state = samples.state("idle") | {"noise_floor": 1e-9}
        status = samples.status(samples.rig())
        status["rigs"][0]["channels"][0] |= {"unit": "m", "state": state}
        told = notification("notify.signal", rig="bearing", channel="lvdt", unit="m", state=state,
                            signal={"window_s": 0.1, "min": -5e-7, "max": 5e-7})
        with self.fake([told], status=lambda _: status) as fake, monitor(fake.path) as screen:
            screen.wait_for(r"^ *−0\.000000\d ┤", r"^ *0\.000000\d ┤")
            screen.press("q")
            screen.wait_for_the_end()

    def test_nothing_that_a_terminal_obeys(self):
        evil = "\x1b]2;owned\x07\x1b[2J\x9b31m\u202eevil\u4e2d"
        status = samples.status(samples.rig())
        status["host"] = status["rigs"][0]["name"] = status["rigs"][0]["channels"][0]["name"] = evil
        status["rigs"][0]["problem"] = evil
        place = {"rig": evil, "channel": evil, "source": {"kind": "comedi"}}
        result = samples.result() | place
        told = (notification("notify.result", seq=1, result=result),
                notification("notify.event", seq=2, event={"code": evil, "sentence": evil, "at": evil} | place),
                notification("notify.progress", seq=3, unit=evil, state=samples.state(), **place))
        methods = {"status": lambda _: status, "results.list": lambda _: {"results": []}, "subscribe": lambda _: {}}
        with FakeFricidd(methods, after={"subscribe": b"".join(map(line, told))}) as fake:
            with monitor(fake.path, columns=200, rows=50) as screen:
                text = screen.wait_for(r"evil.*evil", "Events\n?", r"Events[\s\S]*evil", r"#\d+ ")
                self.assertNotRegex(text, "[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]")
                self.assertNotIn("owned", screen.tmux("display-message", "-p", "#{pane_title}"))
                screen.press("q")
                screen.wait_for_the_end()


if __name__ == "__main__":
    main()
