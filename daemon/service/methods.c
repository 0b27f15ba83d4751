/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The way of a request to its method: find it, may this client, do the parameters fit, run. A method sees only what
 * has passed all of this. */

#include "service/methods.h"

#include "service/service_state.h"
#include "service/session_state.h"

#include <string.h>

const struct method *method_at(size_t index)
{
    static const struct method_group *const groups[] = {
        &methods_about_daemon,   &methods_about_results, &methods_about_topics,   &methods_about_rigs,
        &methods_about_identify, &methods_about_store,   &methods_about_recorder, &methods_about_simulate,
    };
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
        if (index < groups[i]->count)
            return &groups[i]->methods[index];
        index -= groups[i]->count;
    }
    return NULL;
}

/* Two dozen methods: a search through the tables costs nothing beside the parsing. */
static const struct method *find(const char *name)
{
    const struct method *method;
    for (size_t i = 0; (method = method_at(i)) && strcmp(method->name, name) != 0;)
        i++;
    return method;
}

/* Says who may, and how to become one of them. */
static void refuse_to_act(struct call *call, const char *method, const struct acting_rights *rights)
{
    const char *group = rights->group_name ? rights->group_name : "";
    if (rights->has_group)
        call_fail(call, JSONRPC_NOT_PERMITTED, NULL,
                  "%s is for root, the user of the daemon and members of the group %s: ask an administrator for "
                  "\"usermod -aG %s YOUR_NAME\", then log in anew",
                  method, group, group);
    else
        call_fail(call, JSONRPC_NOT_PERMITTED, NULL,
                  "%s is for root and the user of the daemon; the group %s, whose members could use it too, did not "
                  "exist when the daemon started",
                  method, group);
}

/* Rights before parameters: who may not act learns nothing of them. */
void methods_run(struct call *call, const char *name, json_t *params)
{
    const struct session *session = call_session(call);
    const struct acting_rights *rights = &session->service->rights;
    const struct method *method = find(name);
    struct complaint complaint;
    if (!method) {
        call_fail(call, JSONRPC_METHOD_NOT_FOUND, NULL, "there is no such method: fricid-protocol(7) lists them");
        return;
    }
    if (method->acts && !peer_may_act(connection_fd(&session->connection), rights)) {
        refuse_to_act(call, method->name, rights);
        return;
    }
    /* An answer that nobody gets is not worked out: a flood of such questions would cost much and show nowhere. */
    if (call->silent && method->asks) {
        call_answer(call, NULL);
        return;
    }
    enum jsonrpc_error code = parameters_check(method->parameters, params, &complaint);
    if (code != 0)
        call_fail(call, code, NULL, "%s: %s", method->name, complaint.text);
    else
        method->run(call, params);
}
