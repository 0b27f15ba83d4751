#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
. "${TOP_SRCDIR:?}/tests/canary/expect_report"
expect_report 'runtime error: signed integer overflow' tests/canary/undefined overflow
expect_report 'runtime error: division by zero' tests/canary/undefined division
expect_report 'runtime error: .* is outside the range' tests/canary/undefined cast
