#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every fuzz target takes all of its seeds; among them is whatever a fuzz run has ever found.
set -eu
for target in service recording configuration decays; do
    "tests/fuzz/fuzz_$target" "${TOP_SRCDIR:?}/tests/fuzz/seeds/$target"/*
done
