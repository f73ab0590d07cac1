package dev.fairlead.docs;

import static java.util.Map.entry;

import java.util.Map;

/** The scenes by the names that pages call them. */
final class Scenes {
    private Scenes() {}

    static Map<String, Scene> byName() {
        return Map.ofEntries(entry("ping", PingScenes::clientPings));
    }
}
