package dev.fairlead.json;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.sym.ByteQuadsCanonicalizer;

import java.util.Arrays;

/**
 * The decoded member names that a parser looks up by their bytes, so that a name is decoded once.
 *
 * <p>Jackson shares one growing table between all parsers of a factory. Names chosen to collide
 * fill it, after which the texts of others are refused. This table takes its place: it has a fixed
 * number of slots, a name that meets a full slot replaces what is there, and it belongs either to
 * one parser or holds only the names of the specification, which no text can change.
 */
final class MemberNames extends ByteQuadsCanonicalizer {
    /** Texts of fewer bytes repeat too few names to repay a table of their own. */
    static final int SHORT_TEXT = 2048;

    /** Frequent names of messages. Where two meet in a slot the later one stays. */
    static final String SPECIFIED =
            """
            pollInterval ttl lastUpdatedAt createdAt statusMessage status taskId task action
            requestedSchema url mode hasMore values argument ref logger level completions logging
            subscribe listChanged instructions serverInfo clientInfo capabilities protocolVersion
            nextCursor cursor role messages openWorldHint idempotentHint destructiveHint
            readOnlyHint annotations outputSchema inputSchema required properties tools contents
            uriTemplate resource size lastModified audience priority blob requestId reason total
            progress progressToken data message code error mimeType uri title description
            isError structuredContent text type content result arguments _meta name params method
            id jsonrpc
            """;

    private static final int SLOTS = 512;
    private static final int LONGEST =
            16; // quads of four bytes; longer names are decoded each time
    private static final MemberNames KNOWN = known();

    private final @Nullable String[] names = new @Nullable String[SLOTS];
    private final int[] @Nullable [] quads = new int[SLOTS] @Nullable [];
    private boolean learns = true;

    private MemberNames() {
        super(0, 1); // the table of the superclass stays empty
    }

    /** A table for one parser of a text of so many bytes. */
    static MemberNames forText(int length) {
        return length < SHORT_TEXT ? KNOWN : new MemberNames();
    }

    /** Learns from a parser, which packs names into quads in its own way. */
    private static MemberNames known() {
        MemberNames known = new MemberNames();
        String text = "{\"" + SPECIFIED.strip().replaceAll("\\s+", "\":0,\"") + "\":0}";
        ParserFactory.read(text, known);
        known.learns = false;
        return known;
    }

    @Override
    public @Nullable String findName(int q1) {
        int slot = slot(mix(1, q1));
        int[] known = quads[slot];
        return known != null && known.length == 1 && known[0] == q1 ? names[slot] : null;
    }

    @Override
    public @Nullable String findName(int q1, int q2) {
        int slot = slot(mix(mix(2, q1), q2));
        int[] known = quads[slot];
        return known != null && known.length == 2 && known[0] == q1 && known[1] == q2
                ? names[slot]
                : null;
    }

    @Override
    public @Nullable String findName(int q1, int q2, int q3) {
        int slot = slot(mix(mix(mix(3, q1), q2), q3));
        int[] known = quads[slot];
        return known != null
                        && known.length == 3
                        && known[0] == q1
                        && known[1] == q2
                        && known[2] == q3
                ? names[slot]
                : null;
    }

    @Override
    public @Nullable String findName(int[] name, int length) {
        if (length > LONGEST) {
            return null;
        }
        int slot = slot(hash(name, length));
        int[] known = quads[slot];
        return known != null && Arrays.equals(known, 0, known.length, name, 0, length)
                ? names[slot]
                : null;
    }

    @Override
    public String addName(String text, int[] name, int length) {
        if (learns && length <= LONGEST) {
            int slot = slot(hash(name, length));
            quads[slot] = Arrays.copyOf(name, length);
            names[slot] = text;
        }
        return text;
    }

    @Override
    public boolean isCanonicalizing() {
        return learns;
    }

    @Override
    public void release() {}

    private static int hash(int[] name, int length) {
        int hash = length;
        for (int i = 0; i < length; i++) {
            hash = mix(hash, name[i]);
        }
        return hash;
    }

    private static int mix(int hash, int quad) {
        return (hash ^ quad) * 0x9E3779B1;
    }

    private static int slot(int hash) {
        return hash >>> Integer.SIZE - 9; // the upper bits depend on all others
    }
}
