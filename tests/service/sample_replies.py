# SPDX-License-Identifier: GPL-3.0-or-later
"""Replies as the protocol writes them, for a fake daemon to give. Every call returns a fresh object to change."""


def estimate(value, se, unknown="not determined"):
    if value is None:
        return {"value": None, "u": None, "ci95": [None, None], "se": None, "ci95_statistical": [None, None],
                "at_bound": False, "reason": unknown}
    return {"value": value, "u": se, "ci95": [value - 1.961 * se, value + 1.961 * se], "se": se,
            "ci95_statistical": [value - 1.96 * se, value + 1.96 * se], "at_bound": False, "reason": None}


def at_bound(limit):
    return {"value": 0.0, "u": limit / 1.645, "ci95": [0.0, limit], "se": None, "ci95_statistical": [0.0, limit],
            "at_bound": True,
            "reason": "at its bound: the upper limit is one-sided (95 %)"}


def estimates():
    return {
        "f_n_hz": estimate(5.520451, 0.000012),
        "omega_n": estimate(34.68602, 0.000075),
        "zeta": estimate(0.0177031, 0.0000052),
        "x_k": estimate(0.178793, 0.000042),
        "x0": estimate(12.30412, 0.00051),
        "bias": estimate(-0.012345, 0.00012),
        "t0": estimate(7.5123, 0.0000031),
    }


def fit():
    identity = [[1.0 if i == j else 0.0 for j in range(6)] for i in range(6)]
    identity[1][2] = identity[2][1] = -0.943
    return {
        "method": "full-record", "verdict": "ok", "reason": None, "model": "viscous+coulomb", **estimates(),
        "beta": 0.0177059, "omega_d": 34.68058, "parameters": ["omega_n", "zeta", "x_k", "x0", "bias", "t0"],
        "covariance": identity, "correlation": identity, "covariance_kind": "robust", "rms": 0.00412,
        "sum_of_squares": 0.0292, "r_squared": 0.99999, "residual_lag1": 0.02, "samples": 1721, "half_cycles": 19,
        "iterations": 7, "freedom": 1715.0, "effective_samples": 1721.0, "few_effective_samples": False,
    }


def judgement():
    """What judges the other sections, and the classical methods."""
    ok = {"verdict": "ok", "reason": None}
    known = {**estimates(), "c_n_s_per_m": estimate(2.3581, 0.0062), "f_k_n": estimate(0.41301, 0.0021),
             "mu": estimate(0.021934, 0.00011), "omega_d": estimate(34.68058, 0.0019),
             "beta": estimate(0.0177059, 0.00005)}
    quantities = ("f_n_hz", "omega_n", "zeta", "x_k", "x0", "bias", "omega_d", "beta", "c_n_s_per_m", "f_k_n", "mu")
    lines = [{"quantity": name, "value": known[name]["value"], "u_stat": known[name]["se"], "u_cal": 0.0,
              "u_model": 0.0, "u": known[name]["se"], "freedom": 1715.0, "coverage_factor": 1.961,
              "expanded": 1.961 * known[name]["se"], "reason": None} for name in quantities]
    return {
        "flags": [],
        "logarithmic_decrement": {"method": "logarithmic-decrement", **ok, "zeta": estimate(0.0312, 0.0021),
                                  "delta": 0.196, "rms": 0.08, "swings": 19},
        "linear_decrement": {"method": "linear-decrement", **ok, "x_k": estimate(0.261, 0.014), "per_cycle": 1.044,
                             "rms": 0.3, "swings": 19},
        "jacobsen_ayre": {"method": "jacobsen-ayre", **ok, "zeta": estimate(0.0176, 0.0004),
                          "x_k": estimate(0.18, 0.004), "large_swings": 10, "small_swings": 10},
        "model_choice": {**ok, "model": "viscous+coulomb", "based_on": "fit", "viscous_ratio": 900.0,
                         "coulomb_ratio": 700.0, "threshold": 3.84},
        "drift": {**ok, "frequency_drift": {"flag": False, "cubic": estimate(1e-5, 2e-5), "relative": 1e-4,
                                            "likelihood_ratio": 0.25, "reason": None},
                  "damping_drift": {"flag": False, "drag": estimate(1e-5, 2e-5), "relative": 1e-4,
                                    "likelihood_ratio": 0.25, "reason": None},
                  "phase_rms": 0.001, "threshold": 10.83},
        "windows": {**ok, "window": [
            {**ok, "largest": 12.3, "smallest": 4.0, "start_s": 7.5, "end_s": 8.1, "half_cycles": 7,
             "f_n_hz": estimate(5.52, 0.001), "zeta": estimate(0.0177, 0.0001), "x_k": estimate(0.179, 0.002)},
            {**ok, "largest": 4.0, "smallest": 1.2, "start_s": 8.1, "end_s": 9.2, "half_cycles": 12,
             "f_n_hz": estimate(5.521, 0.002), "zeta": estimate(0.0179, 0.0003), "x_k": estimate(0.178, 0.002)}]},
        "budget": {**ok, "quantities": lines,
                   "stiffness_check": {"ratio": 1.0001, "u": 0.002, "warning": False, "reason": None}},
    }


def result(number=117):
    return {
        "id": number, "seq": 230, "revision": 1, "rig": "bearing", "channel": "lvdt",
        "source": {"kind": "comedi", "device": "/dev/comedi0"}, "config_id": "abc",
        "released_at": "2026-11-21T14:00:03.204518Z", "reason": None, "verdict": "ok", "recommended": "fit",
        "record": {
            "start_s": 7.51231, "end_s": 9.23331, "samples": 1721, "sample_rate_hz": 1000.0, "time_error_s": 0.0,
            "half_cycles": 19,
            "ended_by": "rest", "dropped_first_half_cycle": True, "clipped_samples": 0, "pretrigger_samples": 362,
            "resolution": 0.01, "noise": 0.002, "rest_position": 0.1, "reason": None,
        },
        "units": {"displacement": "mm", "time": "s", "frequency": "Hz", "angular_frequency": "rad/s"},
        "fit": fit(),
        "extrema_fit": {"method": "extrema-only", "verdict": "ok", "reason": None, **estimates(), "rms": 0.005,
                        "extrema": 20},
        "decrement": {
            "method": "decrement", "verdict": "ok", "reason": None, "zeta": {"mean": 0.0179, "sd": 0.0011, "count": 17},
            "x_k": {"mean": 0.1812, "sd": 0.0093, "count": 17}, "delta": 0.005, "i": 2, "j": 2, "m": 5,
            "beta": 0.01785, "zeta_m": 0.017847, "x_k_m": 0.1799, "bound_beta": 0.00042, "bound_x_k": 0.0061,
            "bound_gamma": 0.02, "local": [],
        },
        "models": [
            {"model": "viscous", "verdict": "ok", "aicc": -8000.0, "rms": 0.1, "reason": None},
            {"model": "coulomb", "verdict": "ok", "aicc": -5000.0, "rms": 0.3, "reason": None},
            {"model": "viscous+coulomb", "verdict": "ok", "aicc": -12345.6, "rms": 0.00412, "reason": None},
        ],
        "static_friction": {"verdict": "ok", "reason": None, "x_s_min": 0.17912, "x_s_max": 0.45433, "rest": 0.1,
                            "last_extremum": 0.454},
        "physical": {"verdict": "ok", "reason": None, "mass_kg": 1.92, "stiffness_n_per_m": 2310.0,
                     "gravity_m_per_s2": 9.80665, "c_n_s_per_m": estimate(2.3581, 0.0062),
                     "f_k_n": estimate(0.41301, 0.0021), "mu": estimate(0.021934, 0.00011)},
        **judgement(),
    }


def ladder(chosen, drag=None):
    """Of two rungs: the chosen one, and one with all terms that are asked for; a drag of 0 is at its bound there."""
    figures = {"f_n": (5.520451, 1.2e-5, "Hz"), "zeta": (0.0177031, 5.2e-6, ""), "x_k": (0.178793, 4.2e-5, "mm"),
               "x0": (12.30412, 5.1e-4, "mm"), "bias": (-0.01235, 1.2e-4, "mm"), "t0": (7.5, 1e-5, "s"),
               "drag": (drag, None, "1/mm"), "cubic": (3.8e-7, 2.7e-8, "1/mm^2"), "square": (None, None, "1/mm"),
               "x_d": (None, None, "mm")}
    terms = {"viscous": "zeta", "coulomb": "x_k", "drag": "drag", "cubic": "cubic", "square": "square",
             "presliding": "x_d"}
    lacks = {name for term, name in terms.items() if term not in chosen}

    def brief(without):
        return {name: None if name in without or value is None else
                {"value": value, "se": se, "unit": unit, "reason": None if se else "at its bound"}
                for name, (value, se, unit) in figures.items()} | {"reason": "terms that this rung lacks are null"}

    def full(name):
        value, se, _ = figures[name]
        if name in lacks:
            return estimate(0, 0) | dict.fromkeys(("value", "se", "u"), None) | {
                "ci95": [None, None], "ci95_statistical": [None, None], "reason": "the chosen rung lacks this term"}
        return estimate(value, se)

    rung = {"verdict": "ok", "reason": None, "residual_rms": 0.0041}
    models = [rung | {"terms": chosen, "estimates": brief(lacks), "aicc": -12345.6, "criterion": -12340.0},
              rung | {"terms": list(terms), "estimates": brief(set()), "aicc": -12340.6, "criterion": -12333.0}]
    sections = {"clock_step": {"found": False}, "clock_steps": [], "zero_drift": {"found": False}, "zero_steps": {"found": False},
                "consistency": {"contradicts": False}}
    return {"method": "ladder", "verdict": "ok", "reason": None, "terms": chosen, "rms": 0.0041, "samples": 1721,
            "half_cycles": 19, "chosen": 0, "models": models, "f_n_hz": full("f_n"),
            "omega_n": estimate(34.686, 8e-5), **{name: full(name) for name in figures if name != "f_n"}, **sections}


def summary(number=117):
    full = result(number)
    keys = ("id", "seq", "revision", "rig", "channel", "source", "config_id", "released_at", "verdict", "recommended",
            "reason")
    section = {key: full["fit"][key] for key in ("model", "f_n_hz", "zeta", "x_k", "x0")}
    return {key: full[key] for key in keys} | section | {
        "u": {key: full["fit"][key]["se"] for key in ("f_n_hz", "zeta", "x_k", "x0")} | {"reason": None},
        "units": {"displacement": "mm"}, "half_cycles": 19, "ended_by": "rest"}


def state(phase="decaying"):
    running = phase == "decaying"
    return {"phase": phase, "half_cycle": 14 if running else None, "amplitude": 3.21 if running else None,
            "frequency_hz": 5.52 if running else None, "displacement": 0.0123, "noise_floor": 0.0021,
            "hysteresis": 0.0105, "loop": None, "reason": None}


def channel(name="lvdt", phase="decaying"):
    return {"name": name, "unit": "mm", "state": state(phase),
            "thresholds": {"start_below": None, "stop_below": None, "min_half_cycles": 3, "reason": "no limit is set"},
            "counters": {"samples": 1000000, "lost_samples": 0, "gaps": 0, "decays": 3,
                         "drops": {"too_short": 0, "gap": 0}},
            "last": {"id": 117, "verdict": "ok", "at": "2026-11-21T14:00:05.000000Z"}}


def rig(name="bearing", kind="comedi", device="/dev/comedi0"):
    return {"name": name,
            "source": {"kind": kind, "device": device, "sample_rate_hz": 10000.0, "reason": None},
            "condition": "running", "problem": None,
            "counters": {"scans": 1000000, "lost_scans": 0, "gaps": 0, "decays_lost": 0}, "clock": {"rate_error": None, "rate_error_se": None, "time_error_s": None, "reason": "not known yet"}, "recorder": {"held_s": 600.0, "room_s": 617.0, "bytes": 5553000, "reason": None},
            "channels": [channel("lvdt"), channel("encoder", "idle")]}


def status(*rigs):
    return {
        "server": "fricidd", "version": "0.1.0", "protocol": {"major": 1, "minor": 0}, "host": "lab-pc3", "pid": 4711,
        "started_at": "2026-11-18T10:00:00.000000Z", "uptime_s": 274320.0, "config_id": "abc", "rigs": list(rigs),
        "threads": [{"name": "identifier", "queued_jobs": 0, "queued_bytes": 0, "finished_jobs": 118, "running_s": 0.0,
                     "busy_s": 12.5, "longest_s": 0.2, "healthy": True, "limit_s": 60.0, "feeds_watchdog": True, "reason": None}],
        "watchdog": {"interval_s": 30.0, "fed_ago_s": 0.4, "held_up_by": [], "reason": None},
        "store": {"kind": "memory", "decays": 118, "results": 118, "bytes": 41000000, "path": None,
                  "waiting": 0, "free_bytes": None, "problem": None, "set_aside": None, "protected": 0, "reason": "in memory"},
        "queue": {"bytes": 0, "max_bytes": 268435456},
        "clients": {"connections": 1, "subscribers": 0, "dropped_notifications": 0},
        "history": {"history_id": "h1", "oldest_seq": 1, "next_seq": 231, "reason": None},
    }
