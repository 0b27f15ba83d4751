/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Numbers drawn once by chance, as sd-id128(3) asks for; they never change, because people filter by them. */

#include "system/log_ids.h"

#include <stddef.h>
#include <string.h>

/* For an event that has no number of its own. */
static const char other_event[] = "0e562f41eb9c4ebca28d81ecab4c1e47";

const char *log_message_id(const char *code)
{
    static const struct {
        const char *code, *id;
    } ids[] = {
        {"gap", "8e7fd9255466414cabf21135022331a9"},
        {"decay_lost", "4723959bb5cb43ecbf0d559178460f94"},
        {"decay_dropped", "ec41de4d968e484dba4b341961282f51"},
        {"source_fault", "7fbcbf6c64b849199da685bd6a088caf"},
        {"source_started", "6d52e0c4f2874e4b9ae13bdc3b03245b"},
        {"source_advice", "d7ab80c4e4874d40bd944a78630a1723"},
        {"zeroed", "b3af344258744d13bf8b6804f8b42668"},
        {"source_ended", "4bc76e999b9e4ca499787250175c2e22"},
        {"job_overdue", "97acdf8cab9b49f5a53f32a334eb408d"},
        {"disk_slow", "56576ed7ee2b43e590c6b263ef517c11"},
        {"store_fault", "e12cbfd1be5f4bf498d6805576bdd4ac"},
        {"store_recovered", "37ead187c00b4cd09443d8715244180c"},
        {"store_repaired", "86619952142b4416aec33cfe7fc729d9"},
        {"store_set_aside", "9c93a40fbf954e02a339bc7b2d8027e2"},
        {"store_upgraded", "594c45b8a3974c9bb2268db651f0b314"},
        {"store_in_memory", "a25e5d07654f4dc1a918f523f5945108"},
        {"decay_unreadable", "05a6fe5658ad46f2bdc8e030acb0fcec"},
        {"ladder_missing", "b9fd3095d9aa442e872b346d43eda8c8"},
        {"joint_missing", "3cc2a622cba64283b66feca1e78e3a46"},
        {"decay_given_up", "2a3a272d7bb5995545c9da577a8731a4"},
        {"store_notes_lost", "5711945e81ca76fef0eb52b1e0105db8"},
        {"decays_removed", "0a2a31bcb16c4185a0718750f175d3c6"},
        {"already_kept", "1e81719443bb402da566136218a7cae0"},
        {"loop_run", "aadb4107c5954219927ca637a531bf29"},
        {"loop_given_up", "349f4d56954e4ecea2fe3dd5b64a095f"},
        {"ring_down", "fc6fe57132284c6c9f9dd337eabe54f1"},
        {"ring_down_given_up", "35a6c73217944a3eabf2d7d1155609ef"},
        {"retention_waits", "661d3ae71bac47f88408c6d71176c455"},
        {"socket_lost", "1d2076bd037649b98e355ebdf57b42cf"},
        {"socket_renewed", "66b34048f9c146588d8e4ab5fef6d192"},
        {"clock_step", "6aa592f04def4ff68462f558722127d1"},
        {"reloaded", "888742bd735c4ca19a3413faf1901d5e"},
        {"reload_failed", "2b3b37ad2c3048d0b3cfab7b85a884ce"},
        {LOG_STARTED, "cc05d38fb45e4eb4aa6761d24366603a"},
        {LOG_STOPPING, "f972fc5544254d61a82e12a9005d3112"},
    };
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++)
        if (strcmp(ids[i].code, code) == 0)
            return ids[i].id;
    return other_event;
}
