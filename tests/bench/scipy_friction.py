# SPDX-License-Identifier: GPL-3.0-or-later
"""scipy_friction.py RECORD: LuGre fitted to a record of displacement, velocity and force by SciPy, from the start that
stands in its first line; how long that took."""

import math
import sys
import time

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import least_squares

with open(sys.argv[1]) as record:
    start = np.array([float(word) for word in record.readline().split()])
    t, x, v, force = np.loadtxt(record, unpack=True)

way = np.abs(np.diff(x))
sense = np.sign(np.diff(x))
speed = way / np.diff(t)
size = np.abs(v)


def level(ratio, v_s, of):
    return 1 + ratio * np.exp(-((of / v_s) ** 2))


def of_state(parameters, state):
    f_c, ratio, v_s, x_d, sigma_1, sigma_2, f_0, _ = parameters
    rate = v - size * state / level(ratio, v_s, size)
    return f_c * state + sigma_1 * rate + sigma_2 * v + f_0


def by_steps(parameters):
    """Each step exact at the level of its mean speed."""
    _, ratio, v_s, x_d, *_, state = parameters
    levels = level(ratio, v_s, speed)
    kept = np.exp(-way / (x_d * levels))
    added = sense * levels * (1 - kept)
    states = [state]
    append = states.append
    for k, a in zip(kept.tolist(), added.tolist()):
        state = k * state + a
        append(state)
    return of_state(parameters, np.array(states)) - force


def by_solver(parameters):
    _, ratio, v_s, x_d, *_, state = parameters
    times, speeds = t, v

    def slope(at, z):
        now = np.interp(at, times, speeds)
        pace = abs(now)
        return [(now - pace * z[0] / (1 + ratio * math.exp(-((pace / v_s) ** 2)))) / x_d]

    solution = solve_ivp(slope, (t[0], t[-1]), [state], method="LSODA", t_eval=t, rtol=1e-6, atol=1e-8)
    return of_state(parameters, solution.y[0]) - force


def seconds(call):
    begin = time.process_time()
    result = call()
    return time.process_time() - begin, result


fits = [seconds(lambda: least_squares(by_steps, start, jac="2-point", x_scale=np.maximum(np.abs(start), 0.1)))
        for _ in range(3)]
took, fit = min(fits, key=lambda pair: pair[0])
# Of each iteration a Jacobian by as many evaluations as there are parameters, beside those that it counts.
evaluations = fit.nfev + fit.njev * len(start)
print("fit", took)
print("evaluations", evaluations)
print("evaluation", min(seconds(lambda: by_steps(start))[0] for _ in range(10)))
print("squares", 2 * fit.cost)
print("solver", min(seconds(lambda: by_solver(start))[0] for _ in range(2)))
