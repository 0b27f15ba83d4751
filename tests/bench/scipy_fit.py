# SPDX-License-Identifier: GPL-3.0-or-later
"""scipy_fit.py FILE RESTS PERIOD TOLERANCE OMEGA_N ZETA X_K X0 BIAS: fits the doubles in FILE, one line of answer.

RESTS is 1 where the model comes to rest at the first extremum of at most x_k, else 0.

The line holds processor seconds, evaluations of the model and the five parameters. Ends with status 77 where NumPy or
SciPy is missing.
"""
import os
import sys
import time

# One core, like everything that it is compared with.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

try:
    import numpy as np
    from scipy.optimize import least_squares
except ImportError:
    sys.exit(77)


def residuals(parameters, times, measured, rests):
    """Measured minus model, all samples at once; extrema half cycle by half cycle."""
    omega_n, zeta, x_k, x0, bias = parameters
    root = np.sqrt(1.0 - zeta * zeta)
    beta = zeta / root
    phase = omega_n * root * times
    half_cycle = np.floor(phase / np.pi).astype(np.intp)
    sigma = 1.0 if x0 >= 0.0 else -1.0
    q = np.exp(-beta * np.pi)
    amplitude = np.empty(half_cycle[-1] + 1)
    level = np.empty(half_cycle[-1] + 1)
    extremum = x0
    for j in range(half_cycle[-1] + 1):
        if rests and j > 0 and abs(extremum) <= x_k:
            amplitude[j:] = 0.0
            level[j:] = extremum
            break
        level[j] = sigma * x_k
        amplitude[j] = extremum - level[j]
        extremum = -amplitude[j] * q + level[j]
        sigma = -sigma
    theta = phase - half_cycle * np.pi
    shape = np.exp(-beta * theta) * (np.cos(theta) + beta * np.sin(theta))
    return measured - bias - level[half_cycle] - amplitude[half_cycle] * shape


def main():
    path, rests, period, tolerance = sys.argv[1], sys.argv[2] == "1", float(sys.argv[3]), float(sys.argv[4])
    start = [float(word) for word in sys.argv[5:10]]
    measured = np.fromfile(path)
    times = period * np.arange(len(measured))
    calls = 0

    def counted(parameters):
        nonlocal calls
        calls += 1
        return residuals(parameters, times, measured, rests)

    infinity = np.inf
    bounds = ([0.0, 0.0, 0.0, -infinity, -infinity], [infinity, 0.999, infinity, infinity, infinity])
    counted(start)
    calls = 0
    begin = time.process_time()
    answer = least_squares(counted, start, bounds=bounds, method="trf", x_scale="jac",
                           ftol=tolerance, xtol=tolerance, gtol=tolerance)
    seconds = time.process_time() - begin
    print(f"{seconds:.9g}", calls, *(f"{value:.17g}" for value in answer.x))


main()
