package dev.fairlead.protocol;

import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.face.PerRequestFace;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;

/**
 * A request state in front of which stands the node where its call waits, so that another node
 * finds it without opening the state: {@code at-17.} and the sealed state, which is bound to the
 * node.
 *
 * @param node 0 if none is named
 * @param sealed the state without the node, a string
 */
public record RoutedState(long node, RawJson sealed) {
    private static final String PREFIX = "at-";

    /** The most digits of a number that fits. */
    private static final int DIGITS = 18;

    /** Returns the text of a state whose call waits at a node; 0 names none. */
    public static String text(long node, String sealed) {
        return node == 0 ? sealed : PREFIX + node + "." + sealed;
    }

    /** Reads a state, a string. */
    public static RoutedState of(RawJson state) {
        byte[] after = state.stringAfter(PREFIX);
        int end = 0;
        while (after != null && end < after.length && after[end] >= '0' && after[end] <= '9') {
            end++;
        }
        boolean isRouted =
                after != null
                        && end > 0
                        && end <= DIGITS
                        && after[0] != '0'
                        && end < after.length
                        && after[end] == '.';
        if (!isRouted) {
            return new RoutedState(0, state);
        }
        String text = new String(after, StandardCharsets.UTF_8);
        long node = Long.parseLong(text.substring(0, end));
        return new RoutedState(node, RawJson.parse("\"" + text.substring(end + 1) + "\""));
    }

    /** Returns the node that the state of a request names; 0 if there is none. */
    public static long nodeOf(@Nullable RawJson params) {
        RawJson state = params == null ? null : params.member(PerRequestFace.REQUEST_STATE);
        return state == null ? 0 : of(state).node();
    }
}
