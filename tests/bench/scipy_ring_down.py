# SPDX-License-Identifier: GPL-3.0-or-later
"""scipy_ring_down.py FILE RATE CENTRE STOP OMEGA_0 C ZETA_J CHI: what users of NumPy and SciPy do with a ring-down.

FILE holds the doubles of an acceleration, a mode of which is in the band CENTRE +- STOP, Hz; the last four are where
the fit of a microslip law begins. One line for each: its name, processor seconds, and what was found.
Ends with status 77 where NumPy or SciPy is missing.
"""
import os
import sys
import time

# One core, like everything that it is compared with.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

try:
    import numpy as np
    from scipy import signal
    from scipy.integrate import cumulative_trapezoid
    from scipy.optimize import least_squares
    from scipy.special import gammaln
except ImportError:
    sys.exit(77)


def isolate(samples, rate, centre, stop):
    """The band at frequency 0, as far apart as aliasing allows, and its times."""
    taps, beta = signal.kaiserord(80, 0.8 * stop / (0.5 * rate))
    taps |= 1
    window = signal.firwin(taps, 0.6 * stop, window=("kaiser", beta), fs=rate)
    turned = 2 * samples * np.exp(-2j * np.pi * centre * np.arange(len(samples)) / rate)
    step = int(rate / (1.2 * stop))
    values = signal.oaconvolve(turned, window, mode="valid")[::step]
    return (taps // 2 + step * np.arange(len(values))) / rate, values


def motion(parameters, times, centre):
    """The slow flow of a joint in microslip by quadrature over ln A, as an accelerometer sees it in the band."""
    omega_0, c, log_zeta_j, chi = parameters
    x = np.linspace(0, -8, 801)
    zeta = np.exp(log_zeta_j + (chi + 1) * x)
    s = zeta * np.pi * (chi + 3) / (2 * (chi + 1))
    n = chi + 2
    gamma = 4 / np.sqrt(np.pi) * np.exp(gammaln(n + 0.5) - gammaln(n + 1)) * n / (n + 1)
    root = np.sqrt(1 - gamma * s)
    alpha = (zeta * omega_0 * root + 0.5 * c * root * root) / (1 - n * s)
    omega = omega_0 * root
    passed = -cumulative_trapezoid(1 / alpha, x, initial=0)
    turned = -cumulative_trapezoid((omega - 2 * np.pi * centre) / alpha, x, initial=0)
    seen = np.log((-alpha + 1j * omega) ** 2)
    return np.exp(np.interp(times, passed, x + seen.real) + 1j * np.interp(times, passed, turned + seen.imag))


def fit(times, values, centre, start):
    def residuals(parameters):
        model = motion(parameters, times, centre)
        left = values - model * (np.vdot(model, values) / np.vdot(model, model).real)
        return np.concatenate((left.real, left.imag))
    return least_squares(residuals, start, method="trf", x_scale="jac", xtol=1e-9, ftol=1e-9,
                         bounds=([1, 0, -30, -0.99], [np.inf, np.inf, 0, 5]))


def start_of(times, values, centre):
    """From local slopes of log amplitude and phase, with a grid over chi."""
    usable = np.abs(values) > 3 * np.std(np.diff(values[-len(values) // 4:])) / np.sqrt(2)
    count = max(np.argmin(usable) if not usable.all() else len(usable), 16)
    times, log_a, phase = times[:count], np.log(np.abs(values[:count])), np.unwrap(np.angle(values[:count]))
    windows = np.array_split(np.arange(count), 24)
    alpha = np.array([-np.polyfit(times[w], log_a[w], 1)[0] for w in windows])
    omega = np.array([np.polyfit(times[w], phase[w], 1)[0] for w in windows]) + 2 * np.pi * centre
    x = np.array([log_a[w].mean() for w in windows]) - log_a[0]
    best = (np.inf,)
    for chi in np.arange(-0.95, 1.5, 0.15):
        share = np.exp((chi + 1) * x)
        columns = np.stack((np.ones_like(x), omega.mean() * share), axis=1)
        found, squares = np.linalg.lstsq(columns, alpha, rcond=None)[:2]
        if len(squares) and squares[0] < best[0] and (found > 0).all():
            best = squares[0], (omega[-1], 2 * found[0], np.log(found[1]), chi)
    return best[1]


def hilbert(samples, rate, centre, stop):
    sections = signal.butter(4, (centre - 0.5 * stop, centre + 0.5 * stop), "bandpass", fs=rate, output="sos")
    analytic = signal.hilbert(signal.sosfiltfilt(sections, samples))
    dropped = int(1.5 / stop * rate)
    kept = analytic[dropped:-dropped]
    kept = kept[np.abs(kept) > 0.02 * np.abs(kept[0])]
    t = np.linspace(-1, 1, len(kept))
    return [(np.polyfit(t, np.log(np.abs(kept)), degree), np.polyfit(t, np.unwrap(np.angle(kept)), degree))
            for degree in range(2, 10)]


def timed(name, repeats, work):
    seconds = []
    for _ in range(repeats):
        begin = time.process_time()
        found = work()
        seconds.append(time.process_time() - begin)
    print(name, f"{np.median(seconds):.9f}", *(f"{value:.9g}" for value in getattr(found, "x", ())))
    return found


def main():
    samples = np.fromfile(sys.argv[1])
    rate, centre, stop, omega_0, c, zeta_j, chi = (float(word) for word in sys.argv[2:9])
    times, values = isolate(samples, rate, centre, stop)

    def from_nothing():
        seen = isolate(samples, rate, centre, stop)
        return fit(*seen, centre, start_of(*seen, centre))

    timed("law", 5, from_nothing)
    timed("fit", 5, lambda: fit(times, values, centre, (omega_0, c, np.log(zeta_j), chi)))
    timed("hilbert", 3, lambda: hilbert(samples, rate, centre, stop))


main()
