# SPDX-License-Identifier: GPL-3.0-or-later
"""What files need each other in a circle."""


def circles(graph):
    """The sets of nodes that reach each other (Tarjan, without recursion: a graph may be deep)."""
    number, lowest, waiting, inside, found = {}, {}, [], set(), []
    for start in graph:
        trail = [(start, iter(graph[start]))] if start not in number else []
        while trail:
            node, rest = trail[-1]
            if node not in number:
                number[node] = lowest[node] = len(number)
                waiting.append(node)
                inside.add(node)
            following = next((other for other in rest if other not in number or other in inside), None)
            if following is None:
                trail.pop()
                if trail:
                    lowest[trail[-1][0]] = min(lowest[trail[-1][0]], lowest[node])
                if lowest[node] == number[node]:
                    at = waiting.index(node)
                    found.append(set(waiting[at:]))
                    inside -= found[-1]
                    del waiting[at:]
            elif following in number:
                lowest[node] = min(lowest[node], number[following])
            else:
                trail.append((following, iter(graph[following])))
    return [circle for circle in found if len(circle) > 1]
