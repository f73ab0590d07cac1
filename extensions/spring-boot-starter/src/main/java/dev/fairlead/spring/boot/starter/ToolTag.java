package dev.fairlead.spring.boot.starter;

import dev.fairlead.protocol.MethodCall;
import dev.fairlead.protocol.tools.CallToolRequest;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The tag {@code gen_ai.tool.name} of timers: names of tools that exist, since one of their calls
 * gave a result. A peer may ask for any name, and each value of a tag costs memory, so others are
 * {@code other}. Safe for use by several threads.
 */
final class ToolTag {
    static final String KEY = "gen_ai.tool.name";

    /** The most names that become values of the tag. */
    static final int MAX_TOOLS = 100;

    private static final String NONE = "none";
    private static final String OTHER = "other";
    private static final int MAX_LENGTH = 128;

    private final Set<String> names = ConcurrentHashMap.newKeySet();

    /**
     * The value for a call that ended.
     *
     * @param gaveResult whether it gave a result, so that the tool exists
     */
    String value(MethodCall method, boolean gaveResult) {
        if (!(method.params() instanceof CallToolRequest call)) {
            return NONE;
        }
        String name = call.name();
        if (gaveResult && names.size() < MAX_TOOLS && name.length() <= MAX_LENGTH) {
            names.add(name);
        }
        return names.contains(name) ? name : OTHER;
    }
}
