# SPDX-License-Identifier: GPL-3.0-or-later
"""Recordings as other programs write them: one decay in many dialects, which must all give the same figures, and files
that can be read in several ways or in none, which are refused with a sentence."""

import bz2
import datetime
import gzip
import json
import lzma
import random
import struct
import unittest

from fricid_harness import FRICIDD, Daemon, Decay, ScratchDirectory, drawn_if_slow, offline, recording_rig, release, run_program
from run_tests import main
from store_files import wait_for

RATE_HZ = 500.0
TIMES, POSITIONS = release(Decay(f_n=5.0, zeta=0.01, x_k=0.1, x0=10.0), rate=RATE_HZ)
STAMPS = [f"{t:.3f}" for t in TIMES]
VALUES = [f"{x:.4f}" for x in POSITIONS]
BEGAN = datetime.datetime(2024, 5, 17, 23, 59, 58)


def comma(number):
    return number.replace(".", ",")


def rows(delimiter=",", stamps=STAMPS, values=VALUES, form=str, tail=""):
    return "".join(f"{form(t)}{delimiter}{form(x)}{tail}\n" for t, x in zip(stamps, values))


def clock(pattern):
    """Stamps with date and time of the day, through a midnight."""
    return [(BEGAN + datetime.timedelta(milliseconds=round(1e3 * t))).strftime(pattern) + f"{round(1e3 * t) % 1000:03d}"
            for t in TIMES]


def quoted(text):
    return f'"{text}"'


def grouped(number, mark="."):
    """By thousands, with a mark between them and a decimal comma."""
    return f"{float(number):,.1f}".replace(",", " ").replace(".", ",").replace(" ", mark)


def whole(position):
    """Micrometres, with points between thousands."""
    return f"{1000 * position:,.0f}".replace(",", ".")


def numbered(delimiter=",", stamps=STAMPS, form=str):
    """Rows with their number before them."""
    return "".join(f"{form(str(i))}{delimiter}{row}" for i, row in
                   enumerate(rows(delimiter, stamps, form=form).splitlines(keepends=True)))


SETTINGS = ["Record Length,4.0e+03", "Sample Interval,2.0e-03", "Trigger Point,2.0e+03", ",", "Source,CH1", "Vertical Units,mm",
            "Horizontal Units,s", "Model Number,TDS2024B"]
TEKTRONIX = "".join(f"{SETTINGS[i] if i < len(SETTINGS) else ','},,{t},{x},\n" for i, (t, x) in enumerate(zip(STAMPS, VALUES)))
PLAIN = "time_s,lvdt_mm\n" + rows()
MILLISECONDS = [f"{1e3 * t:.1f}" for t in TIMES]
MICROSECONDS = [str(round(1e6 * t)) for t in TIMES]
HOURS = [f"{t / 3600:.10f}" for t in TIMES]
RUSSIAN = "Время, мс;Перемещение, мм\n" + rows(";", MILLISECONDS, form=comma)
CHINESE = "Time (ms);位移 (mm)\n" + rows(";", MILLISECONDS, form=comma)
JAPANESE = "Time (ms);センサー変位 (mm)\n" + rows(";", MILLISECONDS, form=comma)
NAMED = "time_s;lvdt_mm\n" + rows(";", form=comma)

# What it is, the file, the options, and what is said of how it was read. All of them hold the same decay.
ALIKE = [
    ("commas", PLAIN, (), None),
    ("carriage returns and newlines", PLAIN.replace("\n", "\r\n"), (), None),
    ("carriage returns alone", PLAIN.replace("\n", "\r"), (), "lines end in carriage returns"),
    ("a mark of the byte order", "\ufeff" + PLAIN, (), None),
    ("comments", "# by hand\n" + PLAIN, (), None),
    ("milliseconds", "Time (ms),lvdt_mm\n" + rows(stamps=MILLISECONDS), (), "time in ms"),
    ("blanks around values", "time_s , lvdt_mm\n" + rows(" , "), (), None),
    ("semicolons", "time_s;lvdt_mm\n" + rows(";"), (), "semicolon, decimal point, time in s"),
    ("semicolons and commas", NAMED, (), "semicolon, decimal comma, time in s"),
    ("the same in milliseconds", "Zeit [ms];lvdt [mm]\n" + rows(";", MILLISECONDS, form=comma), (),
     "semicolon, decimal comma, time in ms"),
    ("returns and commas", NAMED.replace("\n", "\r\n"), (), "semicolon, decimal comma"),
    ("returns alone and commas", NAMED.replace("\n", "\r"), (), "carriage returns, semicolon, decimal comma"),
    ("returns twice", NAMED.replace("\n", "\r\r\n"), (), "semicolon, decimal comma"),
    ("a byte order mark and semicolons", "\ufeff" + NAMED, (), "semicolon, decimal comma"),
    ("tabs", "time_s\tlvdt_mm\n" + rows("\t"), (), "tab, decimal point"),
    ("tabs and commas", "time_s\tlvdt_mm\n" + rows("\t", form=comma), (), "tab, decimal comma"),
    ("two tabs", "time_s\t\tlvdt_mm\n" + rows("\t\t"), (), "blank, decimal point"),
    ("blanks", "time_s lvdt_mm\n" + rows("   "), (), "blank, decimal point"),
    ("blanks at both ends", "  time_s  lvdt_mm\n" + "".join(f"  {t}  {x}  \n" for t, x in zip(STAMPS, VALUES)), (),
     "blank, decimal point"),
    ("blanks and commas", "time_s lvdt_mm\n" + rows(" ", form=comma), (), "blank, decimal comma"),
    ("blanks and units in brackets", "Time (s)  lvdt (mm)\n" + rows(" "), (), "blank, decimal point"),
    ("blanks below a header with commas", "time_s, lvdt_mm\n" + rows(" "), (), "blank, decimal point"),
    ("quotes", '"time_s","lvdt_mm"\n' + rows(form=quoted), (), "comma, decimal point"),
    ("quotes around commas", '"time_s","lvdt_mm"\n' + rows(form=lambda text: quoted(comma(text))), (),
     "comma, decimal comma"),
    ("quotes and semicolons", '"time_s";"lvdt_mm"\n' + rows(";", form=lambda text: quoted(comma(text))), (),
     "semicolon, decimal comma"),
    ("newlines in quoted names", 'Pipe 3" wide\n"time\n[s]","lvdt\n[mm]"\n' + rows(), (), "comma, decimal point, time in s"),
    ("returns and newlines in quoted names", '"time\r\n[ms]";"lvdt\r\n[mm]"\r\n' + rows(";", MILLISECONDS, form=comma).replace("\n", "\r\n"), (),
     "semicolon, decimal comma, time in ms"),
    ("quoted prose of several lines", '"Operator: A. B.\nRig: ""old"""\n\n"time_s","lvdt_mm"\n' + rows(), (), "comma, decimal point"),
    ("a quote that nothing closes", 'Probe,"1/2 travel\nRig,5\ntime_s,lvdt_mm\n' + rows(), (), "comma, decimal point"),
    ("blanks and a line of units in brackets", "   time   lvdt\n    [s]   [mm]\n" + rows("   "), (),
     "blank, decimal point, units below the names"),
    ("exponents of Fortran", "time_s lvdt_mm\n" + rows(" ", form=lambda text: f"{float(text):.8e}".replace("e", "D")), (),
     "blank, decimal point"),
    ("ticks of 100 ns", "ticks,lvdt_mm\n" + rows(stamps=[str(638677261234567890 + round(1e7 * t)) for t in TIMES]),
     ("--time-unit", "100ns"), "time in 100ns from the first row"),
    ("a comma in a name", '"time_s","lvdt, left (mm)"\n' + rows(), (), None),
    ("a line of units", "time,lvdt\ns,mm\n" + rows(), (), "units below the names"),
    ("units in brackets, and an empty line", "Time,Channel A\n(ms),(mm)\n\n" + rows(stamps=MILLISECONDS), (),
     "units below the names, time in ms"),
    ("units below semicolons", "Zeit;Weg\n[ms];[mm]\n" + rows(";", MILLISECONDS, form=comma), (),
     "semicolon, decimal comma, units below the names, time in ms"),
    ("percent signs", "% by hand\n" + PLAIN, (), "comma, decimal point"),
    ("slashes", "// by hand\n" + PLAIN, (), "comma, decimal point"),
    ("semicolons before comments", "; by hand\n" + PLAIN, (), "comma, decimal point"),
    ("comments between rows", PLAIN.replace("\n1.000,", "\n% a remark; 1,2\n1.000,"), (), None),
    ("names in a comment", "# time_s,lvdt_mm\n" + rows(), (), "comma, decimal point"),
    ("names in a comment, and blanks", "% t_ms lvdt_mm\n" + rows(" ", MILLISECONDS), (), "blank, decimal point, time in ms"),
    ("no names", rows(), ("--time-unit", "s"), None),
    ("no names, and semicolons", rows(";", MILLISECONDS, form=comma), ("--time-unit", "ms"),
     "semicolon, decimal comma, time in ms"),
    ("no names, and a rate", rows("\t", [str(i) for i in range(len(TIMES))]), ("--rate", "500"), "tab, decimal point, 500"),
    ("names, units and a line of delimiters", "Zeit;Weg\nms;mm\n;\n" + rows(";", MILLISECONDS, form=comma), (),
     "semicolon, decimal comma, units below the names, time in ms"),
    ("lines of prose", "Recorder 7, serial 12\nOperator: Karl; Lab 3\n\n" + PLAIN, (), "comma, decimal point"),
    ("prose above semicolons", "Recorder;7\nRate;500 Hz\n\n" + NAMED, (), "semicolon, decimal comma"),
    ("delimiters behind the last value", "time_s;lvdt_mm;\n" + rows(";", form=comma, tail=";"), (),
     "semicolon, decimal comma"),
    ("UTF-16", NAMED.encode("utf-16"), (), "UTF-16LE, semicolon, decimal comma"),
    ("UTF-16, large end first", b"\xfe\xff" + NAMED.encode("utf-16-be"), (), "UTF-16BE, semicolon"),
    ("UTF-16 without a mark", PLAIN.encode("utf-16-le"), (), "UTF-16LE"),
    ("Latin-1", ("# 20 °C\nt [µs];x [µm]\n" + rows(";", [str(round(1e6 * t)) for t in TIMES],
                                                 [f"{1e3 * x:.1f}" for x in POSITIONS], comma)).encode("latin-1"),
     (), "ISO-8859-1, semicolon, decimal comma, time in us"),
    *((f"{head} in Latin-1", (f"{head}\n" + rows(";", form=comma)).encode("latin-1"), (), "ISO-8859-1, semicolon, decimal comma, time in s")
      for head in ("t [s];A [µm²]", "t [s];Größe [µV²]", "t [s];A [µm²/µV²]")),
    ("a unit of Latin-1", ("t [s];Weg [µm]\n" + rows(";", values=[f"{1e3 * x:.1f}" for x in POSITIONS], form=comma)).encode("latin-1"), (),
     "ISO-8859-1, semicolon, decimal comma, time in s"),
    *((f"{word} of DOS", (f"time_s;{word}\n" + rows(";", form=comma)).encode("cp866"), (), "CP866, semicolon, decimal comma, time in s")
      for word in ("СИЛА", "НАГРУЗКА", "СКОРОСТЬ", "МОМЕНТ", "УГОЛ", "ПУТЬ", "СИЛА [Н]")),
    ("Cyrillic", RUSSIAN, (), "semicolon, decimal comma, time in ms"),
    ("Cyrillic of Windows", RUSSIAN.encode("cp1251"), (), "CP1251, semicolon, decimal comma, time in ms"),
    ("a degree sign of Windows", ("time_s;Сила, °С\n" + rows(";", form=comma)).encode("cp1251"), (), "CP1251, semicolon, decimal comma, time in s"),
    ("capitals and a degree sign of Windows", ("Время, s;СИЛА, °С\n" + rows(";", form=comma)).encode("cp1251"), (), "CP1251, semicolon, decimal comma, time in s"),
    ("Cyrillic of DOS", RUSSIAN.encode("cp866"), (), "CP866, semicolon, decimal comma, time in ms"),
    ("Chinese", CHINESE.encode("gbk"), (), "GB18030, semicolon, decimal comma, time in ms"),
    ("Chinese of Taiwan", CHINESE.encode("big5"), (), "BIG5, semicolon, decimal comma, time in ms"),
    ("Japanese", JAPANESE.encode("shift_jis"), (), "CP932, semicolon, decimal comma, time in ms"),
    ("Japanese of Unix", JAPANESE.encode("euc_jp"), (), "EUC-JP, semicolon, decimal comma, time in ms"),
    ("Korean, whose bytes may be Chinese", ("Time (s),변위 (mm)\n" + rows()).encode("euc_kr"), (),
     r"Chinese or Korean as \? \(save it as UTF-8 to have it\)"),
    ("an end as DOS marks it", (PLAIN.replace("\n", "\r\n") + "\x1a").encode(), (), None),
    ("an end behind the last number, and decimal commas", (NAMED[:-1] + "\x1a\r\n").encode(), (), "semicolon, decimal comma"),
    ("KOI8", RUSSIAN.encode("koi8-r"), (), "KOI8-R, semicolon, decimal comma, time in ms"),
    ("thousands in groups", "time_s;x_um\n" + rows(";", [comma(t) for t in STAMPS], [grouped(1000 * x) for x in POSITIONS]), (),
     "semicolon, decimal comma"),
    ("typeset minus signs", NAMED.replace("-", "\u2212"), (), "semicolon, decimal comma"),
    ("numbers with exponents", "time_s\tx_m\n" + "".join(f"{t:.6E}\t{1e-3 * x:.9E}\n" for t, x in zip(TIMES, POSITIONS)),
     (), "tab, decimal point"),
    ("ISO stamps", "timestamp,lvdt_mm\n" + rows(stamps=clock("%Y-%m-%dT%H:%M:%S.")), (), "times of the day, local time, time in s"),
    ("ISO stamps with a zone", "timestamp,lvdt_mm\n" + rows(stamps=[t + "+02:00" for t in clock("%Y-%m-%d %H:%M:%S.")]),
     (), "times of the day"),
    ("ISO stamps with a short zone", "timestamp,lvdt_mm\n" + rows(stamps=[t + "-0530" for t in clock("%Y-%m-%dT%H:%M:%S.")]),
     (), "times of the day, time in s"),
    ("German stamps", "Zeit;Weg_mm\n" + rows(";", clock("%d.%m.%Y %H:%M:%S,"), [comma(x) for x in VALUES]), (),
     "semicolon, decimal comma, times of the day"),
    ("times through midnight", "Time,lvdt_mm\n" + rows(stamps=clock("%H:%M:%S.")), (), "times of the day"),
    ("stamps without marks", "timestamp,lvdt_mm\n" + rows(stamps=clock("%Y%m%dT%H%M%S.")), (), "times of the day, local"),
    ("American stamps", "time,lvdt_mm\n" + rows(stamps=clock("%m/%d/%Y %H:%M:%S.")), (), "times of the day, local"),
    ("dates and times apart", "Date;Time;lvdt_mm\n" + rows(";", clock("%Y-%m-%d;%H:%M:%S,"), [comma(x) for x in VALUES]),
     (), "times of the day"),
    ("dates and times between blanks", rows(" ", clock("%Y-%m-%d %H:%M:%S.")), (), "blank, decimal point, times of"),
    ("a rate, and one column", "".join(x + "\n" for x in VALUES), ("--rate", "500"), "500 rows a second"),
    ("a rate, and commas in one column", "".join(comma(x) + "\n" for x in VALUES), ("--rate", "500"),
     "one column, decimal comma, 500 rows a second"),
    ("a rate, and numbers of rows", rows(";", [str(i) for i in range(len(TIMES))], VALUES, comma), ("--rate", "500"),
     "semicolon, decimal comma, 500 rows a second"),
    ("chosen by name", "no;note;lvdt_mm;time_s\n" + "".join(
        f"{i};fine;{comma(x)};{comma(t)}\n" for i, (t, x) in enumerate(zip(STAMPS, VALUES))),
     ("--columns", "time_s,lvdt"), "semicolon, decimal comma"),
    ("chosen by number", "no,note,lvdt_mm,time_s\n" + "".join(
        f"{i},fine,{x},{t}\n" for i, (t, x) in enumerate(zip(STAMPS, VALUES))), ("--columns", "4,3"), "comma"),
    ("marks that are told", NAMED, ("--delimiter", "semicolon", "--decimal", "comma"), "semicolon, decimal comma"),
]


# The first thousand comes behind the rows that a form is found by.
POINTS = "time_ms;lvdt_mm\n" + rows(";", [f"{round(1e3 * t):,}".replace(",", ".") for t in TIMES], [comma(x) for x in VALUES])

# Spellings of the same time.
ALIKE += [(f"the time called {name}", f'"{name}",lvdt_mm\n' + rows(stamps=stamps), (), f"time in {unit}$")
          for name, stamps, unit in (
              ("Time ms", MILLISECONDS, "ms"), ("Time, ms", MILLISECONDS, "ms"), ("X (ms)", MILLISECONDS, "ms"),
              ("ms", MILLISECONDS, "ms"), ("timeMs", MILLISECONDS, "ms"), ("Time {ms}", MILLISECONDS, "ms"),
              ("Zeit in ms", MILLISECONDS, "ms"), ("elapsed_ms", MILLISECONDS, "ms"),
              ("TIME(uS)", MICROSECONDS, "us"), ("t μs", MICROSECONDS, "us"), ("time(µs)", MICROSECONDS, "us"),
              ("Tiempo (mseg)", MILLISECONDS, "ms"), ("Время, мс", MILLISECONDS, "ms"), ("(hr)", HOURS, "h"), ("Time (hrs)", HOURS, "h"), ("Zeit (Std)", HOURS, "h"))]
ALIKE += [(f"the time called {name}", f"{name},lvdt_mm\n" + rows(), (), None)
          for name in ("Time[s]", "time (sec)", "elapsed (s)", "Timestamp (s)", "Zeit (Sek.)", "Time sec", "[s]", "seconds")]
ALIKE += [(f"seconds that are assumed of {name}", f"{name},lvdt_mm\n" + rows(), (), r"time in s \(assumed\)$")
          for name in ("time", "t", "Time", "Zeit", "s")]
ALIKE += [
    ("a decimal point that nothing proves", "time_ms;x_mm\n" + rows(";", [str(round(1e3 * t)) for t in TIMES], [f"{10 * x + 150:.3f}" for x in POSITIONS]), (),
     r"semicolon, decimal point \(assumed\), time in ms$"),
    ("units of an oscilloscope above the names", "Model,MSO54\n\nHorizontal Units,s,,\nVertical Units,mm,,\nSource,CH1\n\nTIME,CH1\n" + rows(), (), "units above the names, time in s$"),
    ("the same above a value", "Horizontal Units,s\nVertical Units,mm\nSource,CH1\nSecond,Value\n" + rows(), (), "units above the names, time in s$"),
    ("units of an analyser above the names", "X-Axis unit: s\nY-Axis unit: mm\nX\tY\n" + rows("\t"), (), "tab, decimal point, units above the names, time in s$"),
    ("a word at the end of the names", "Ready\nmillis,pos_mm\n" + rows(stamps=MILLISECONDS), (), "comma, decimal point, time in ms$"),
    ("settings without blanks behind the names", "Time(s),CH1(mm),t0 =-4.0e+00, tInc = 2.0e-03,\n" + rows(tail=",,"), (), "comma"),
    ("names of two words between blanks", "Time (s) Displacement x (mm)\n" + rows(" "), (), "blank, decimal point, time in s$"),
    ("units behind names in a comment", "# t s x mm\n" + rows(" "), (), "blank, decimal point, time in s$"),
    ("names between wide gaps", "time_s  LVDT left\n" + rows(" "), (), "blank, decimal point, time in s$"),
    ("words without units, and columns by number", "Time Displacement x\n" + rows(" "), ("--columns", "1,2", "--time-unit", "s"), "blank, decimal point, time in s$"),
    ("names of R before a count", '"t_s" "x_mm"\n' + numbered(" "), (), "blank, decimal point, without the count of rows, time in s$"),
    ("an index without a name", ",lvdt_mm\n" + rows(), ("--time-unit", "s"), None),
    ("an index without a name, and a rate", ",lvdt_mm\n" + rows(stamps=[str(i) for i in range(len(TIMES))]), ("--rate", "500"), "500 rows a second"),
    ("minutes and seconds through an hour", "Time,lvdt_mm\n" + rows(stamps=[f"{(3598 + int(t)) // 60 % 60:02d}:{(3598 + t) % 60:06.3f}" for t in TIMES]), (), "times as minutes and seconds"),
    ("points of thousands that are told", POINTS, ("--decimal", "comma"), "semicolon, decimal comma, time in ms"),
    ("names in a comment, the time behind", "# lvdt_mm,time_ms\n" + "".join(f"{x},{t}\n" for t, x in zip(MILLISECONDS, VALUES)),
     ("--columns", "2,1"), "comma, decimal point, time in ms$"),
    ("units above the same units", "time_s,lvdt_mm\ns,mm\n" + rows(), (), "units below the names"),
    ("units of channels alone", "time_s,lvdt\n,mm\n" + rows(), (), "units below the names, time in s$"),
    ("rates below units", "Time  1 - default sample rate\tLVDT\ns\tmm\nSampleRate\t500 Hz\n" + rows("\t"), (),
     "units below the names"),
    ("a comment below units", "Time\tLVDT\ns\tmm\n\tprobe 1\n" + rows("\t"), (), "units below the names"),
    ("the number of a run behind the unit", "Time (s) Run #1\tLVDT (mm) Run #1\n" + rows("\t"), (), "tab"),
    ("a delimiter behind the names alone", "time_s,lvdt_mm,\n" + rows(), (), "comma"),
    ("settings behind the names", "Time(s),CH1V,t0 = -4.0e+00, tInc = 2.0e-03,\n" + rows(tail=",,"), (), "comma"),
    ("nanoseconds since 1970", "timestamp_ns,lvdt_mm\n" + rows(stamps=[str(1715983198 * 10**9 + round(1e9 * t)) for t in TIMES]), (), "time in ns since 1970, from the first row$"),
    ("capitals", "TIME_MS,LVDT_MM\n" + rows(stamps=MILLISECONDS), (), r"time in ms, LVDT in mm \(written MM\)$"),
    ("blanks of thousands", "x_um\n" + "".join(f"{round(1e5 * x + 2e6):,}\n".replace(",", " ") for x in POSITIONS),
     ("--rate", "500", "--delimiter", "comma", "--decimal", "point"), "one column, decimal point, thousands in groups, 500 rows"),
    ("pandas", ",time_s,lvdt_mm\n" + numbered(), (), "without the count of rows, time in s$"),
    ("pandas twice", "Unnamed: 0,time_s,lvdt_mm\n" + numbered(), (), "without the count of rows"),
    ("quotes of R", '"","time_s","lvdt_mm"\n' + numbered(form=quoted), (), "without the count of rows"),
    ("a count and the time", "Nr;Zeit [ms];Weg [mm]\n" + numbered(";", MILLISECONDS, comma), (),
     "semicolon, decimal comma, without the count of rows, time in ms"),
    ("a count, and a time that is told", "index,time,lvdt_mm\n" + numbered(stamps=MILLISECONDS), ("--time-unit", "ms"),
     "without the count of rows, time in ms"),
    ("a count and dates", "Sample,Date/Time,LVDT (mm)\n" + numbered(stamps=clock("%Y-%m-%dT%H:%M:%S.")), (),
     "without the count of rows, times of the day"),
    ("an oscilloscope of Rigol", "X,CH1,Start,Increment,\nSequence,mm,-4.0e+00,2.0e-03\n" +
     rows(stamps=[str(i) for i in range(len(TIMES))], tail=",,"), (), "oscilloscope, comma, decimal point, 500 rows a second"),
    ("an old oscilloscope of Tektronix", TEKTRONIX, ("--columns", "4,5", "--time-unit", "s"), "comma, decimal point"),
    *((f"thousands with {name}", "time (ms);x (um)\n" + rows(";", [grouped(t, mark) for t in MILLISECONDS], [f"{1e3 * x:.1f}" for x in POSITIONS], comma), (), "semicolon, decimal comma, time in ms")
      for name, mark in (("plain blanks", " "), ("blanks", "\u00a0"), ("narrow blanks", "\u202f"), ("apostrophes", "'"))),
    ("minutes and seconds", "Time,lvdt_mm\n" + rows(stamps=[f"{int(t) // 60:02d}:{t % 60:06.3f}" for t in TIMES]), (), "times as minutes and seconds"),
    ("milliseconds behind a colon", "Time,lvdt_mm\n" + rows(stamps=clock("%H:%M:%S:")), (), "times of the day"),
    ("what passed, as pandas writes it", "Time,lvdt_mm\n" + rows(stamps=[f"0 days 00:00:{t:09.6f}" for t in TIMES]), (), "times of the day"),
    ("UTC by its name", "time,lvdt_mm\n" + rows(stamps=[t + " UTC" for t in clock("%Y-%m-%d %H:%M:%S.")]), (), "times of the day, time in s"),
    ("a zone by its name", "time,lvdt_mm\n" + rows(stamps=[t + "+02:00[Europe/Berlin]" for t in clock("%Y-%m-%dT%H:%M:%S.")]), (), "times of the day, time in s"),
    ("halves of the day with points", "time,lvdt_mm\n" + rows(stamps=[f"09:59:{t + 10:06.3f} p.m." for t in TIMES]), (),
     "times of the day"),
    *((f"{form} for the unit of a time of the day", f"Time;LVDT\n{form};mm\n" + rows(";", stamps=clock("%H:%M:%S.")), (),
       "units below the names, times of the day") for form in ("hh:mm:ss", "[hh:mm:ss.ms]", "-", "Uhrzeit")),
    ("forms and units of three columns", "Datum;Weg;Sensor\ndd.mm.yyyy hh:mm:ss;mm;V\n" + "".join(
        f"{t};{x};1\n" for t, x in zip(clock("%d.%m.%Y %H:%M:%S."), VALUES)), ("--columns", "1,2"), "units below the names"),
    ("a dash for the unit of time", "Zeit;Weg\n-;mm\n" + rows(";"), (), r"units below the names, time in s \(assumed\)$"),
    ("a comma in the unit's row", '"Time","LVDT, left"\n"s","mm"\n' + rows(), (), "units below the names"),
    ("two units, one of them told", "time_s,lvdt_mm\ns,um\n" + rows(), ("--calibration", "lvdt_mm=[0, 1] um"), "units below"),
]


def measurement(columns, body, separator=".", distance=1 / RATE_HZ, unit=""):
    """As LabVIEW writes it."""
    return "".join(f"{line}\t\n" for line in (
        "LabVIEW Measurement", "Writer_Version\t2", "Reader_Version\t2", "Separator\tTab",
        f"Decimal_Separator\t{separator}", "Multi_Headings\tNo", f"X_Columns\t{columns}", "Time_Pref\tRelative",
        "Date\t2024/05/17", "Time\t23:59:58.25", "***End_of_Header***", "", "Channels\t1", f"Samples\t{len(TIMES)}", "Y_Unit_Label\tmm",
        "X_Dimension\tTime", f"X_Unit_Label\t{unit}", "X0\t0.0E+0", f"Delta_X\t{distance:.6f}".replace(".", separator),
        "***End_of_Header***")) + "X_Value\tLVDT\tComment\n" + body


ALIKE += [
    ("gzip", gzip.compress(PLAIN.encode()), (), "gzip"),
    ("gzip in two parts", gzip.compress(NAMED[:5000].encode()) + gzip.compress(NAMED[5000:].encode()), (),
     "gzip, semicolon, decimal comma"),
    ("a measurement of LabVIEW", measurement("One", rows("\t")), (), "LabVIEW, tab, decimal point"),
    ("the same with commas", measurement("One", rows("\t", form=comma), ","), (), "LabVIEW, tab, decimal comma"),
    ("the same with a remark", measurement("One", rows("\t").replace("\n", "\tpulled by hand\n", 1)), (), "LabVIEW, tab"),
    ("the same without times", measurement("No", "".join(f"\t{x}\n" for x in VALUES)), (),
     "LabVIEW, tab, decimal point, local time, 500 rows a second"),
    ("the same in milliseconds", measurement("No", "".join(f"\t{x}\n" for x in VALUES), ".", 1000 / RATE_HZ, "ms"), (),
     "LabVIEW, tab, decimal point, local time, 500 rows a second"),
    ("times in milliseconds", measurement("One", rows("\t", MILLISECONDS), unit="ms"), ("--time-unit", "ms"),
     "LabVIEW, tab, decimal point"),
    ("a waveform of LabVIEW", "waveform\t[0]\nt0\t17.05.2024 12:00:00\ndelta t\t0,002\n\ntime\tY_mm\n" +
     rows("\t", clock("%d.%m.%Y %H:%M:%S,"), [comma(x) for x in VALUES]), (),
     "LabVIEW, tab, decimal comma, local time, 500 rows a second"),
]

# What it is, the file, the options, and words of the sentence.
REFUSED = [
    ("a thousand or a fraction", "time_ms;x_mm\n0;1,234\n2;1,235\n4;1,236\n", (), "--decimal"),
    ("the same with tabs", "time_ms\tx_mm\n0\t1,234\n2\t1,235\n", (), "--decimal"),
    ("the same in quotes", 'time_ms,x_mm\n0,"1,234"\n2,"1,235"\n', (), "--decimal"),
    ("a comma in numbers or between them", "0,512\n0,498\n0,317\n", ("--rate", "500"), "--delimiter or --decimal"),
    ("commas in numbers and between them", "time_s,x_mm\n0,001,1,234\n0,002,1,235\n", (), "in the numbers"),
    ("day or month", "time;x_mm\n05/06/2024 12:00:00.000;1\n05/06/2024 12:00:00.002;2\n", (), "the day from the month"),
    ("columns that are not there", PLAIN, ("--columns", "time,encoder"), 'no line names a column "encoder"'),
    ("a delimiter that is not there", PLAIN, ("--delimiter", "tab"), "no line is a row of numbers with tab"),
    ("names for other columns", "time_s;x_mm;y_mm\n0,1;2\n0,2;3\n", (), "2 values where the header in line 1 names 3"),
    ("a bad row", NAMED.replace("\n1,000;", "\n1,000;oops"), (), "not a number"),
    ("a first row that is bad", "time_s;x_mm\n0,1;oops\n0,2;1,5\n0,3;1,25\n", (), ":2: the value of x is not a number"),
    ("a value that is missing", "time_s;x_mm\n0,1;1,5\n0,2;\n", (), "missing"),
    ("no names", rows(), (), "no header tells whether the first column is a time"),
    ("no names but a sign", "#,lvdt_mm\n" + rows(), (), "no header tells whether the first column is a time"),
    ("no names, and a count", "".join(f"{i};{x}\n" for i, x in enumerate(VALUES)), (), "--time-unit UNIT"),
    ("the time behind", "lvdt_mm;t_s\n1;0\n2;0,1\n", (), 'column 2, "t_s", is a time: --columns says which'),
    ("milliseconds called time", "time,lvdt_mm\n" + rows(stamps=MILLISECONDS), (), "in seconds its rows would be 2 s apart"),
    ("days of a spreadsheet called time", "Zeit;x_mm\n" + rows(";", [f"{45429.5 + t / 86400:.10f}" for t in TIMES]), (),
     "in days, as spreadsheets count them, they would come 500 a second, which --rate says"),
    ("hours called time", "time,lvdt_mm\n" + rows(stamps=HOURS), (), "in h they would come 500 a second"),
    ("a count called time", "time,lvdt_mm\n" + rows(stamps=[str(i) for i in range(len(TIMES))]), (), "where it counts the rows"),
    ("thousandths of seconds below the time", "Time;x\n[1e-3 s];[mm]\n" + rows(";", MILLISECONDS), (), '"Time (1e-3 s)", has a factor in its name: say its unit of time'),
    ("a factor behind the time", "t / 10^-3 s;x_mm\n" + rows(";", MILLISECONDS), (), "has a factor in its name: say its unit of time"),
    ("two units of time", "time (s) [ms];x_mm\n" + rows(";", MILLISECONDS), (), "has two units in its name: say its unit of time"),
    ("a factor of a channel", "time_s,lvdt in 1/100 mm\n" + rows(), (), "has a factor in its name: say what its numbers are in, as with --calibration"),
    ("two units of a force", "time_s,displacement_mm,force (kN) [N]\n0,1,2\n", (), "`force (kN) [N]` has two units in its name: the force of a loop is called"),
    ("points of thousands in the time", POINTS, (),
     'the value of time is not a number: "1.000"; where the point groups thousands, say so with --decimal comma'),
    ("the same where nothing shows a decimal mark", "time_ms;x_mm\n" + rows(";", [f"{round(1e3 * t):,}".replace(",", ".") for t in TIMES], [str(round(x)) for x in POSITIONS]), (),
     'the point in "1.000" was taken for a decimal mark: where it groups thousands, say so with --decimal comma'),
    ("commas of thousands behind the first rows", "time_s;x_um\n" + rows(";", values=["1"] * 600 + ["1,000"] * (len(TIMES) - 600)), (),
     'the value of x is not a number: "1,000"; where the comma groups thousands, say so with --decimal point'),
    ("points of thousands beside decimal commas", "time_s;x_um\n" + rows(";", [comma(t) for t in STAMPS], [whole(x) for x in POSITIONS]), (),
     'the value of x is not a number: "1.002"; where the point groups thousands, say so with --decimal comma'),
    ("points of thousands, which one column tells", "time_ms;x_um\n" + rows(";", [str(round(1e3 * t)) for t in TIMES], [whole(x) for x in POSITIONS]), (),
     "the values of x are whole numbers, or have three digits behind a point, as 1.002 has: where the point groups thousands, --decimal comma says so"),
    ("millions in groups", "time_us;x_mm\n" + rows(";", [f"{round(1e6 * t):,}".replace(",", ".") for t in TIMES], [comma(x) for x in VALUES]), (),
     'say so with --decimal comma'),
    ("two decimal marks", "time_s;x_mm\n" + rows(";", [comma(t) for t in STAMPS]), (), "has a point in one number and a comma in another for the decimal mark"),
    ("words between blanks", "Time Displacement x\n" + rows(" "), (), 'line 1, "Time Displacement x", has 3 words where line 2 has 2 values'),
    ("names beside values", "t:0 x:1.5\nt:2 x:1.25\n", (), 'line 1, "t:0 x:1.5", has more than values in it'),
    ("arrows between times and values", "12:00:01.123 -> ready\n12:00:01.125 -> 1.5\n", (), "has more than values in it: write the values alone"),
    ("a control character", "time_s,\x1b[1mx_mm\n" + rows(), (), "have a control character (byte 27) in them"),
    ("a unit in the name and another beside it", "time_s,x_um (mm)\n" + rows(), (), '--calibration "x_um=[0, 1] mm"'),
    ("two numbers, and no thousand", "201 123\n202 124\n203 125\n", ("--rate", "500", "--delimiter", "comma"), "no line is a row of numbers with comma"),
    ("days", "Time (d),lvdt_mm\n" + rows(), (), "is a time in a unit that is not known"),
    ("a time in two units", "time_s,lvdt_mm\nms,mm\n" + rows(stamps=MILLISECONDS), (), '"time_s (ms)", is a time in two units'),
    ("a channel in two units", "time_s,lvdt_mm\ns,um\n" + rows(), (), '--calibration "lvdt_mm=[0, 1] um"'),
    ("grams or gravity", "time_s,lvdt (g)\n" + rows(), (), '--calibration "lvdt=[0, 9.80665] m/s2"'),
    ("two recordings side by side", "Run 1: Time (s),Run 1: x (m),Run 2: Time (s),Run 2: x (m)\n" + rows(values=[f"{x},{t},{x}" for t, x in zip(STAMPS, VALUES)]), (), 'column 3, "Run 2: Time (s)", is a second time'),
    ("strokes between values", "t_s|x_mm\n0|1\n1|2\n", (), 'line 2: "0|1" is neither a number nor a time'),
    ("strokes between values and commas in names", '"t, s"|x_mm\n0|1\n1|2\n', (), "is neither a number nor a time"),
    ("two numbers of a clock", "Time,x_mm\n12:00,1\n12:01,2\n", (), "hours and minutes or minutes and seconds"),
    ("settings beside rows", TEKTRONIX, (), "--columns 4,5 and --time-unit s"),
    ("two files one behind the other", PLAIN + PLAIN, (), "the names of the columns stand here again"),
    ("ticks", "ticks,lvdt_mm\n" + rows(stamps=[str(round(1e7 * t)) for t in TIMES]), (), "ticks of .NET and Windows are 100 ns: --time-unit 100ns"),
    ("hexadecimal digits", "time_s;lvdt\n0,000;75D3\n0,002;75D4\n", (), "is neither a number nor a time"),
    ("a counter that begins anew", "time_ms,lvdt_mm\n" + rows(stamps=[str((round(1e3 * t) + 64000) % 65536) for t in TIMES]), (),
     "where a counter begins anew, leave it out and say how many rows come in a second"),
    ("a time that begins again", "time_s,lvdt_mm\n" + 2 * rows(), (), "another recording begins here, give each of them a file of its own"),
    ("a column that is empty", "time_s;lvdt_mm;remark\n" + rows(";", tail=";"), (), "leave such rows out, or the column"),
    ("a count that is none", "index,time_s,lvdt_mm\n" + "".join(f"7,{t},{x}\n" for t, x in zip(STAMPS, VALUES)), (), '"index", is not known to be a time'),
    ("a month by its name", "time;x\n17-May-2024 12:00:00;1\n", (), '"17-May-2024 12:00:00" is neither a number nor a time'),
    ("dates without times", "date;x_mm\n17.05.2024;1,5\n18.05.2024;1,75\n", (), '"17.05.2024" is neither a number nor a time'),
    ("a count", "index;x_mm\n0;1,5\n1;1,75\n", (), "--rate HZ"),
    ("a packed file that is cut", gzip.compress(PLAIN.encode())[:-100], (), "unpack"),
    ("a measurement with many times", measurement("Multi", rows("\t")), (), "a time for each channel"),
    ("a measurement of channels at two rates", measurement("No", "".join(f"\t{x}\t{x}\n" for x in VALUES)).replace(
        "Delta_X\t0.002000", "Delta_X\t0.002000\t0.004000"), (), "of channels at different rates"),
    ("a measurement in milliseconds", measurement("One", rows("\t", MILLISECONDS), unit="ms"), (),
     "times in ms: say so with --time-unit"),
    ("a measurement over degrees", measurement("One", rows("\t"), unit="deg"), (), "no unit of time"),
    *((name, f"{name},lvdt_mm\n" + rows(), (), "is a time in two units")
      for name in ("time_ms (s)", "ms (s)", "time_ms_s", "time_s [ms]")),
    ("a second block of a measurement", measurement("One", rows("\t") + "\nChannels\t1\n"), (), "another segment of the measurement begins here"),
    ("a second block without times", measurement("No", "".join(f"\t{x}\n" for x in VALUES[:200]) +
                                                 "\nChannels\t1\nTime\t12:00:00\n"), (), "another segment of the measurement"),
    ("bzip2", bz2.compress(PLAIN.encode()), (), "is packed by bzip2: unpack it with bunzip2 first"),
    ("xz", lzma.compress(PLAIN.encode()), (), "is packed by xz: unpack it with unxz first"),
    ("a workbook", b"PK\x03\x04\x14\x00\x06\x00" + bytes(100), (), "save the sheet"),
    ("a file of MATLAB 4", struct.pack("<5I", 0, 100, 1, 0, 2) + b"t\0" + bytes(800), (), "is a file of MATLAB 4: load it and save it anew"),
    ("the same, large end first", struct.pack(">5I", 1000, 100, 1, 0, 2) + b"t\0" + bytes(800), (), "is a file of MATLAB 4"),
    ("blanks within a number or between two", "659 659\n658 658\n657 657\n", ("--rate", "500"),
     'line 1, "659 659", may be 2 values, of which the first goes back from row to row and is no time, or one with blanks between its thousands'),
    ("an array of NumPy", b"\x93NUMPY\x01\x00v\x00" + bytes(100), (), "is a file of NumPy: save the samples as text"),
    ("rows from last to first", "time_s,x_mm\n" + rows(stamps=STAMPS[::-1]), (), "the time does not increase"),
    ("an HDF5 file", b"\x89HDF\r\n\x1a\n" + bytes(100), (), "HDF5"),
    ("text without numbers", "Dear Sir,\nyour friction is high.\n", (), "not known to be a time"),
]


def figures(result):
    return [result["fit"][name]["value"] for name in ("f_n_hz", "zeta")]


class DialectTest(unittest.TestCase):
    def setUp(self):
        self.scratch = ScratchDirectory()
        self.addCleanup(self.scratch.remove)

    def file(self, content):
        data = content if isinstance(content, bytes) else content.encode()
        path = self.scratch.write("run.txt", "")
        with open(path, "wb") as stream:
            stream.write(data)
        return path

    def test_one_decay_in_every_dialect(self):
        (plain,) = offline(self.file(PLAIN)).results
        self.assertEqual(plain["verdict"], "ok")
        self.assertAlmostEqual(plain["fit"]["f_n_hz"]["value"], 5.0, delta=1e-3)
        has_zlib = "zlib yes" in run_program(FRICIDD, "--version").stdout
        for name, content, options, said in drawn_if_slow(ALIKE):
            with self.subTest(name):
                done = offline(*options, self.file(content))
                if name.startswith("gzip") and not has_zlib:
                    self.assertIn("fricid was built without zlib", done.stderr)
                    continue
                self.assertEqual(done.returncode, 0, done.stderr)
                (result,) = done.results
                self.assertEqual(result["verdict"], "ok")
                for value, expected in zip(figures(result), figures(plain)):
                    self.assertAlmostEqual(value / expected, 1, delta=1e-5)
                if said is None:
                    self.assertEqual(done.stderr, "")
                else:
                    self.assertRegex(done.stderr, f"run.txt: read as: .*{said}")

    def test_the_release_has_its_time_of_day(self):
        """The mass of every recording is let go 3 s behind its beginning."""
        iso = clock("%Y-%m-%dT%H:%M:%S.")
        berlin = {"TZ": "Europe/Berlin"}
        cases = [
            ("in UTC", "time,lvdt_mm\n" + rows(stamps=[stamp + "Z" for stamp in iso]), BEGAN, berlin),
            ("with a zone", "time,lvdt_mm\n" + rows(stamps=[stamp + "-02:00" for stamp in iso]),
             BEGAN + datetime.timedelta(hours=2), berlin),
            ("without one, in summer", "time,lvdt_mm\n" + rows(stamps=iso), BEGAN - datetime.timedelta(hours=2), berlin),
            ("of LabVIEW", measurement("One", rows("\t")),
             BEGAN + datetime.timedelta(seconds=0.25) - datetime.timedelta(hours=2), berlin),
            ("of a waveform", "waveform\t[0]\nt0\t17.05.2024 23:59:58\ndelta t\t0,002\n\ntime\tY_mm\n" +
             rows("\t", clock("%d.%m.%Y %H:%M:%S,"), [comma(x) for x in VALUES]), BEGAN, {"TZ": "UTC"}),
            ("in milliseconds since 1970", "timestamp_ms,lvdt_mm\n" + rows(stamps=[str(1715990398000 + round(1e3 * t)) for t in TIMES]), BEGAN, berlin),
            ("in seconds since 1970", "unix_s,lvdt_mm\n" + rows(stamps=[f"{1715990398 + t:.3f}" for t in TIMES]), BEGAN, berlin),
            ("without a date", "Time,lvdt_mm\n" + rows(stamps=clock("%H:%M:%S.")), None, berlin),
            ("seconds alone", PLAIN, None, berlin),
        ]
        for name, content, began, environment in cases:
            with self.subTest(name):
                done = offline(self.file(content), environment=environment)
                (result,) = done.results
                if began is None:
                    self.assertIsNone(result["released_at"])
                    self.assertIn("no known time of day", result["reason"])
                    continue
                released = datetime.datetime.strptime(result["released_at"], "%Y-%m-%dT%H:%M:%S.%fZ")
                self.assertAlmostEqual((released - began).total_seconds(), 3.0, delta=0.01)

    def test_the_option_that_is_wrong_is_named(self):
        for words, wrong in ((["-xy"], "-xy"), (["-x"], "-x"), (["--decimals"], "--decimals"), (["--rate"], "--rate"),
                             (["--columns", "-1", "-xy"], "-xy")):
            done = run_program(FRICIDD, "--offline", *words)
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"fricidd: {wrong} is no option", done.stderr)

    def test_what_cannot_be_known_is_refused(self):
        for name, content, options, words in drawn_if_slow(REFUSED):
            with self.subTest(name):
                done = offline(*options, self.file(content))
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn(words, done.stderr)
                self.assertNotIn("read as", done.stderr)

    def test_the_unit_tells_what_was_measured(self):
        """What is no displacement is no free decay of one, unless somebody says so."""
        cases = [("x mm", "mm", None), ("Desplazamiento en mm", "mm", None), ("mm", "mm", None), ('"x, m"', "m", None), ("F N", "1", None),
                 ("v (mm/s)", "mm", "velocity"), ("v_mm_per_s", "mm", "velocity"), ("a (m/s2)", "m", "acceleration"),
                 ("acc_x (g)", "m", "acceleration"), ("acc_mps2", "m", "acceleration"), ("v_mmps", "mm", "velocity"),
                 ("vel (m/sec)", "m", "velocity"), ("x_microns", "um", None), ("geophone (V)", "V", None), ("load (g)", "g", None)]
        for name, unit, measured in cases:
            with self.subTest(name):
                path = self.file(f"time_s,{name}\n" + rows())
                done = offline(path)
                (result,) = done.results
                self.assertEqual((result["kind"], result["units"]["displacement"]),
                                 ("ring_down" if measured else "free_decay", unit))
                self.assertEqual(result.get("ring_down", {}).get("measured"), measured)
                self.assertEqual("--kind free_decay takes it for a free decay" in done.stderr, measured is not None)
                (free,) = offline("--kind", "free_decay", path).results
                self.assertEqual(free["verdict"], "ok")
        self.assertIn("acc_x from g to m/s2 (times 9.80665)", offline(self.file("time_s,acc_x (g)\n" + rows())).stderr)

    def test_every_channel_has_the_unit_that_is_told_of_it(self):
        """Of what instruments write above the names and below them."""
        two = rows(values=[f"{x},{x}" for x in VALUES])
        scope = "Horizontal Units,s\nVertical Units,{}\nSource,CH1,CH2\nTIME,CH1,CH2\n" + two
        waveform = "waveform\t[0]\nt0\t17.05.2024 12:00:00\ndelta t\t0.002\n\ntime\t{}\n" + rows(
            "\t", clock("%d.%m.%Y %H:%M:%S."))
        cases = [
            ("a unit each", scope.format("mm,V"), [("CH1", "mm"), ("CH2", "V")]),
            ("that of the first alone", scope.format("mm,"), [("CH1", "mm"), ("CH2", "1")]),
            ("no cell for the second", scope.format("mm"), [("CH1", "mm"), ("CH2", "1")]),
            ("units behind the names of channels", scope.format("CH1:V,CH2:mm"), [("CH1", "V"), ("CH2", "mm")]),
            ("those of a value", "Horizontal Units,s\nVertical Units,CH1:mm\nSource,CH1\nSecond,Value\n" + rows(), [("Value", "mm")]),
            ("an axis", "X-Axis unit: s\nY-Axis unit: mm\nX\tleft\tright\n" + rows("\t", values=[f"{x}\t{x}" for x in VALUES]),
             [("left", "mm"), ("right", "mm")]),
            ("LabVIEW with a column of remarks that is not there", measurement("One", rows("\t")), [("LVDT", "mm")]),
            ("the same without times", measurement("No", "".join(f"\t{x}\n" for x in VALUES)), [("LVDT", "mm")]),
            ("an index in brackets", waveform.format("Y[0]"), [("Y[0]", "1")]),
            ("a unit behind an index", waveform.format("Y[0] (mm)"), [("Y[0]", "mm")]),
        ]
        for name, content, expected in cases:
            with self.subTest(name):
                results = offline(self.file(content)).results
                self.assertEqual([(result["channel"], result["units"]["displacement"]) for result in results], expected)

    def test_stamps_of_64_bits_lose_no_digit(self):
        """A million rows a second, whose stamps a double would round to 0.24 us, are as good as those from 0 on."""
        (near,) = offline(self.file("time_us,lvdt_mm\n" + rows(stamps=[str(i) for i in range(len(TIMES))]))).results
        self.assertEqual(near["verdict"], "ok")
        epochs = [("nanoseconds", "timestamp_ns", lambda i: str(1715983198123456789 + 1000 * i)),
                  ("without trailing zeros", "unix_s", lambda i: f"{1715983198 + i // 10**6}.{(i % 10**6 + 1):06d}".rstrip("0")),
                  ("microseconds since 1904", "t_us", lambda i: str(3798828000 * 10**6 + i)),
                  ("with a decimal comma", "Zeit_s;lvdt_mm", None)]
        for name, header, stamp in epochs:
            with self.subTest(name):
                if stamp:
                    text = f"{header},lvdt_mm\n" + rows(stamps=[stamp(i) for i in range(len(TIMES))])
                else:
                    text = f"{header}\n" + rows(";", [f"1715983198.{i:06d}000" for i in range(len(TIMES))], form=comma)
                done = offline(self.file(text))
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn("from the first row", done.stderr)
                (result,) = done.results
                for value, expected in zip(figures(result), figures(near)):
                    self.assertAlmostEqual(value / expected, 1, delta=1e-9)

    def test_stamps_in_batches_tell_the_mean_rate(self):
        """Every 16 rows have the stamp at which the computer got them, some milliseconds late."""
        dice = random.Random(7)
        stamps = []
        for first in range(0, len(TIMES), 16):
            late = TIMES[min(first + 15, len(TIMES) - 1)] + dice.uniform(0, 0.01)
            stamps += [f"{late:.3f}"] * len(TIMES[first:first + 16])
        path = self.file("time_s,lvdt_mm\n" + rows(stamps=stamps))
        done = offline(path)
        self.assertEqual(done.returncode, 2)
        self.assertIn("the time does not increase", done.stderr)
        self.assertIn("--rate mean", done.stderr)
        done = offline("--rate", "mean", path)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("rows even at the mean rate of their times", done.stderr)
        (result,) = done.results
        frequency = result["fit"]["f_n_hz"]["value"]
        (u_clock,) = [row["u_cal"] for row in result["budget"]["quantities"] if row["quantity"] == "f_n_hz"]
        self.assertGreater(u_clock, 1e-6)
        self.assertLess(u_clock, 5e-3)
        self.assertLess(abs(frequency - 5.0), 3 * u_clock + 1e-4)

    def test_batches_that_increase_are_no_time_either(self):
        """Sixteen rows nearly at once, and then none for long; a pause is no batch, nor are trembling stamps."""
        late = [TIMES[min(i - i % 16 + 15, len(TIMES) - 1)] + 1e-5 * (i % 16) for i in range(len(TIMES))]
        path = self.file("time_s,lvdt_mm\n" + rows(stamps=[f"{t:.6f}" for t in late]))
        done = offline(path)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("the time stamps come in batches", done.stderr)
        self.assertIn("--rate mean", done.stderr)
        (result,) = offline("--rate", "mean", path).results
        self.assertEqual(result["verdict"], "ok")
        (u_clock,) = [row["u_cal"] for row in result["budget"]["quantities"] if row["quantity"] == "f_n_hz"]
        self.assertLess(abs(result["fit"]["f_n_hz"]["value"] - 5.0), 3 * u_clock)
        with Daemon(rigs=recording_rig(path)) as daemon:
            wait_for(lambda: "the key mean_rate" in daemon.errors(), what="the refusal of the rig")
        dice = random.Random(11)
        for name, stamps in (("a pause", [t + (60 if i > 900 else 0) for i, t in enumerate(TIMES)]),
                             ("trembling", [t + dice.uniform(0, 0.4) / RATE_HZ for t in TIMES])):
            with self.subTest(name):
                done = offline(self.file("time_s,lvdt_mm\n" + rows(stamps=[f"{t:.6f}" for t in stamps])))
                self.assertNotIn("batches", done.stderr)

    def test_a_rig_says_how_its_file_was_read(self):
        keys = 'delimiter = "semicolon"; decimal = "comma";'
        with Daemon(rigs=recording_rig(self.file(NAMED), keys=keys)) as daemon, daemon.client() as client:
            (summary,) = daemon.wait_for_results(1)
            result = client.call("results.get", id=summary["id"])
            self.assertEqual(result["verdict"], "ok")
            self.assertEqual(result["record"]["read_as"], "semicolon, decimal comma, time in s")
            self.assertIn("run.txt: read as: semicolon, decimal comma, time in s", daemon.errors())

    def test_a_result_tells_how_its_file_was_read(self):
        (plain,) = offline(self.file(PLAIN)).results
        self.assertEqual(plain["record"]["read_as"], "")
        stamps = "time,lvdt_mm\n" + rows(stamps=[stamp + "Z" for stamp in clock("%Y-%m-%dT%H:%M:%S.")])
        path = self.file(stamps)
        (told,) = offline(path).results
        self.assertEqual(told["record"]["read_as"], "comma, decimal point, times of the day, time in s")
        with Daemon(rigs=recording_rig(path)) as daemon, daemon.client() as client:
            (summary,) = daemon.wait_for_results(1)
            of_rig = client.call("results.get", id=summary["id"])
            done = daemon.fricidctl("identify", "--keep", "--json", path)
            (of_client,) = json.loads(done.stdout)["results"]
            done = daemon.fricidctl("identify", "--json", "--rate", "mean", path)
            (mean,) = json.loads(done.stdout)["results"]
            client.call("reidentify", id=of_rig["id"])
            again = client.call("results.get", id=of_rig["id"])
        for result in (of_rig, of_client, again):
            self.assertEqual(result["record"]["read_as"], told["record"]["read_as"])
            self.assertEqual(result["released_at"][:-3], told["released_at"][:-3])
        self.assertIn("rows even at the mean rate of their times", mean["record"]["read_as"])

    def test_tables_are_read_in_the_same_dialects(self):
        """Bounces, which are rows between labels."""
        plain = "ball,h0_cm,h1_cm\n" + "golf,30.5,20.25\ngolf,30,20.5\ngolf,29,19\n"
        german = "Halle 3; Karl\n" + plain.replace(",", ";").replace(".", ",")
        (expected,) = offline(self.file(plain)).results
        self.assertEqual(expected["verdict"], "ok")
        cases = [("UTF-16", german.encode("utf-16"), (), "UTF-16LE, semicolon, decimal comma"),
                 ("Latin-1", ("# 20 °C\n" + german).encode("latin-1"), (), "ISO-8859-1, semicolon, decimal comma"),
                 ("packed", gzip.compress(german.encode()), (), "gzip, semicolon, decimal comma"),
                 ("units in brackets", plain.replace("h0_cm,h1_cm", "h0 [cm],h1 [cm]"), (), None),
                 ("marks that are told", german, ("--delimiter", "semicolon", "--decimal", "comma"), "semicolon, decimal comma")]
        with Daemon() as daemon:
            for name, content, options, said in cases:
                with self.subTest(name):
                    if name == "packed" and "zlib yes" not in run_program(FRICIDD, "--version").stdout:
                        continue
                    path = self.file(content)
                    done = offline(*options, path)
                    asked = daemon.fricidctl("identify", "--json", *options, path)
                    (result,), (answer,) = done.results, json.loads(asked.stdout)["results"]
                    for found in result, answer:
                        self.assertEqual((found["kind"], found["e"]), ("bounces", expected["e"]))
                    for text in done.stderr, asked.stderr:
                        self.assertIn(f"read as: {said}" if said else "", text)
            path = self.file(german)
            for option in ("--rate", "500"), ("--columns", "1,2"), ("--calibration", "2 mm"):
                done = daemon.fricidctl("identify", *option, path)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn(f"{option[0]} is said of recordings, not of bounces", done.stderr)
                self.assertIn(f"{option[0]} is said of recordings, not of bounces", offline(*option, path).stderr)

    def test_a_file_for_fricidctl(self):
        path = self.file(NAMED)
        with Daemon() as daemon:
            done = daemon.fricidctl("identify", path)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(f"{path}: read as: semicolon, decimal comma, time in s", done.stderr)
            # A picture's script is drawn from any dialect, too, and needs neither gnuplot nor this daemon.
            done = daemon.fricidctl("plot", "-o", "-", path)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(f"{path}: read as: semicolon, decimal comma, time in s", done.stderr)
            self.assertIn("plot", done.stdout)
            # What its unit makes of a channel is said where nothing comes of it.
            done = daemon.fricidctl("identify", self.file("time_s,v (mm/s)\n" + rows(values=[str(i % 7) for i in range(len(TIMES))])))
            self.assertIn("taken for a ring_down because of its unit or name: --kind free_decay takes it for a free decay", done.stderr)
            path = self.file("time_s,force_n\n" + rows(values=[str(i % 7) for i in range(len(TIMES))]))
            lacking = "for a friction loop its header must have a column displacement_m"
            self.assertIn(lacking, daemon.fricidctl("identify", path).stderr)
            self.assertNotIn(lacking, daemon.fricidctl("identify", "--kind", "free_decay", path).stderr)
            done = daemon.fricidctl("identify", "--delimiter", "stroke", path)
            self.assertEqual(done.returncode, 2)
            self.assertIn("--delimiter wants comma, semicolon, tab or blank", done.stderr)


if __name__ == "__main__":
    main()
