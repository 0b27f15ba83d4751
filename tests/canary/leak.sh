#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
. "${TOP_SRCDIR:?}/tests/canary/expect_report"
expect_report 'LeakSanitizer: detected memory leaks' tests/canary/leak
