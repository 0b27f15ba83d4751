/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A replay goes through the store a few notifications at a time: no more is read than the client reads. */

#include "service/session_replay.h"

#include "report/result_text.h"
#include "service/history.h"
#include "service/service_state.h"

/* So many of the longest lines are far from what may wait for a client. */
enum { REPLAY_CHUNK = 16 };

/* What cannot be sent is told as lost. */
static void push(struct session *session, const struct found_result *found)
{
    struct notice *notice = found->id > 0 ? notice_of_result(found->text, found->seq)
                                          : notice_from_line(TOPIC_EVENT, found->seq, found->text);
    if (notice)
        outbox_push(&session->outbox, notice, 0, SESSION_MAX_WAITING);
    else
        outbox_note_lost(&session->outbox, found->seq, found->seq);
    notice_release(notice);
}

static void on_notices(void *context, const struct store_answer *answer)
{
    struct session *session = context;
    const struct found_results *found = &answer->found;
    uint64_t until = answer->question->before_seq;
    session->replay_question = 0;
    if (answer->error)
        outbox_note_lost(&session->outbox, session->replay_from, until - 1);
    for (size_t i = 0; !answer->error && i < found->count; i++)
        push(session, &found->results[i]);
    bool more = !answer->error && found->more && found->count > 0;
    session->replay_from = more ? found->results[found->count - 1].seq + 1 : until;
    session_pump(session);
}

bool session_ask_for_replay(struct session *session, uint64_t until)
{
    const struct service *service = session->service;
    uint64_t stored_until = history_stored_until(service->history);
    const struct store_question question = {.kind = QUESTION_NOTICES,
                                            .results = (session->topics & TOPIC_RESULT) != 0,
                                            .events = (session->topics & TOPIC_EVENT) != 0,
                                            .from_seq = session->replay_from,
                                            .before_seq = until < stored_until ? until : stored_until,
                                            .limit = REPLAY_CHUNK};
    if (!service->backend.ask || session->replay_from < history_available_from(service->history, session->topics))
        return false;
    /* What the history has let go is in the store within a second: then the replay is taken up again. */
    if (session->replay_from >= stored_until)
        return true;
    long ticket = service->backend.ask(service->backend.context, &question, on_notices, session);
    session->replay_question = ticket > 0 ? ticket : 0;
    return ticket > 0;
}

void session_cancel_replay(struct session *session)
{
    const struct service *service = session->service;
    if (session->replay_question > 0)
        service->backend.ask_cancel(service->backend.context, session->replay_question);
    session->replay_question = 0;
}
