# SPDX-License-Identifier: GPL-3.0-or-later
"""scipy_ladder.py UNTIL SAMPLES PARAMETER...: integrates a decay of the ladder as users of SciPy do.

The parameters are zeta, x_k, drag, cubic, square, x_d (more than 0) and x0. The motion and its derivatives by all of
them are sampled from 0 to UNTIL, half cycle by half cycle, with the right-hand side in Python and in C. One line for
each: its name and the processor seconds of one pass. Ends with status 77 where NumPy or SciPy is missing.
"""
import ctypes
import os
import subprocess
import sys
import tempfile
import time

# One core, like everything that it is compared with.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

try:
    import numpy as np
    from scipy.integrate import solve_ivp
except ImportError:
    sys.exit(77)

COUNT = 7
ZETA, X_K, DRAG, CUBIC, SQUARE, X_D, X0 = range(COUNT)

# The half cycle: side, displacement at its turn and Dahl's z there less the side, with their derivatives.
SOURCE = r"""
#include <math.h>
void rates(const double *p, const double *h, const double *y, double *dy)
{
    const double side = h[0], x = y[0], v = y[1], per = side / p[5], f = exp(-per * (x - h[1]));
    const double by_x = -1 - 2 * p[4] * x - 3 * p[3] * x * x + p[1] * h[2] * per * f;
    const double by_v = -2 * p[0] - 2 * p[2] * side * v;
    const double own[7] = {-2 * v, -side - h[2] * f, -side * v * v, -x * x * x, -x * x,
                           -p[1] * h[2] * f * per * (x - h[1]) / p[5], 0};
    dy[0] = v;
    dy[1] = -x - 2 * p[0] * v - p[2] * side * v * v - p[4] * x * x - p[3] * x * x * x - p[1] * (side + h[2] * f);
    for (int k = 0; k < 7; k++) {
        const double from_turn = -p[1] * f * (h[10 + k] + h[2] * per * h[3 + k]);
        dy[2 + k] = y[9 + k];
        dy[9 + k] = by_x * y[2 + k] + by_v * y[9 + k] + own[k] + from_turn;
    }
}
"""


def rates(p, h, y):
    """The same in Python."""
    side, x, v = h[0], y[0], y[1]
    per = side / p[X_D]
    f = np.exp(-per * (x - h[1]))
    by_x = -1 - 2 * p[SQUARE] * x - 3 * p[CUBIC] * x * x + p[X_K] * h[2] * per * f
    by_v = -2 * p[ZETA] - 2 * p[DRAG] * side * v
    own = np.array([-2 * v, -side - h[2] * f, -side * v * v, -x ** 3, -x * x,
                    -p[X_K] * h[2] * f * per * (x - h[1]) / p[X_D], 0])
    dy = np.empty_like(y)
    dy[0] = v
    dy[1] = (-x - 2 * p[ZETA] * v - p[DRAG] * side * v * v - p[SQUARE] * x * x - p[CUBIC] * x ** 3
             - p[X_K] * (side + h[2] * f))
    dy[2:9] = y[9:]
    dy[9:] = by_x * y[2:9] + by_v * y[9:] + own - p[X_K] * f * (h[10:] + h[2] * per * h[3:10])
    return dy


def compiled_rates(folder):
    """The C right-hand side as a function like rates(); None without a compiler."""
    source, library = os.path.join(folder, "rates.c"), os.path.join(folder, "rates.so")
    with open(source, "w", encoding="ascii") as file:
        file.write(SOURCE)
    try:
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", source, "-o", library, "-lm"], check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    function = ctypes.CDLL(library).rates
    function.restype = None
    function.argtypes = [ctypes.c_void_p] * 4

    def call(p, h, y):
        dy = np.empty_like(y)
        function(p.ctypes.data, h.ctypes.data, y.ctypes.data, dy.ctypes.data)
        return dy
    return call


def turned(p, h, y):
    """Dahl's z at the end of a half cycle, less the side of the next, and its derivatives."""
    per = h[0] / p[X_D]
    path = per * (y[0] - h[1])
    f = np.exp(-path)
    path_by = per * (y[2:9] - h[3:10])
    path_by[X_D] -= path / p[X_D]
    return np.concatenate(([-h[0], y[0], 2 * h[0] + h[2] * f], y[2:9], f * (h[10:] - h[2] * path_by)))


def one_pass(right, p, times):
    """The motion at all times, and the last displacement."""
    side = -np.sign(p[X0])
    away = p[X0] / p[X_D]
    x0_by, z_by = np.eye(COUNT)[X0], np.zeros(COUNT)
    z_by[X0], z_by[X_D] = (1 - np.tanh(away) ** 2) / p[X_D], -(1 - np.tanh(away) ** 2) * away / p[X_D]
    h = np.concatenate(([side, p[X0], np.tanh(away) - side], x0_by, z_by))
    y = np.concatenate(([p[X0], 0.0], x0_by, np.zeros(COUNT)))
    time_of, x = 0.0, []
    while time_of < times[-1]:
        def velocity(_, state, sign=h[0]):
            return state[1] * sign
        velocity.terminal, velocity.direction = True, -1
        within = times[(times >= time_of) & (times < time_of + 6)]
        path = solve_ivp(lambda _, state: right(p, h, state), (time_of, time_of + 6), y, method="DOP853",
                         t_eval=within, events=velocity, rtol=1e-9, atol=1e-11)
        x.extend(path.y[0][within[:len(path.t)] < path.t_events[0][0]])
        time_of, y = path.t_events[0][0], path.y_events[0][0].copy()
        h = turned(p, h, y)
        y[1], y[9:] = 0.0, 0.0
    return x


def main():
    until, samples = float(sys.argv[1]), int(sys.argv[2])
    p = np.array([float(word) for word in sys.argv[3:3 + COUNT]])
    times = np.linspace(0, until, samples)
    with tempfile.TemporaryDirectory() as folder:
        for name, right in (("python", rates), ("compiled", compiled_rates(folder))):
            if right is None:
                continue
            begin = time.process_time()
            x = one_pass(right, p, times)
            print(name, f"{time.process_time() - begin:.9g}", f"{x[-1]:.12g}", flush=True)


main()
