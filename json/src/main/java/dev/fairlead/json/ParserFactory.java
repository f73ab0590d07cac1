package dev.fairlead.json;

import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.io.IOContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.UTF8StreamJsonParser;

import java.nio.charset.StandardCharsets;

/**
 * Makes parsers that read UTF-8 and nothing else, whatever the text looks like, and that share no
 * table of names.
 */
final class ParserFactory extends JsonFactory {
    private static final long serialVersionUID = 1;
    private static final ParserFactory FACTORY = new ParserFactory();

    private ParserFactory() {
        super(
                JsonFactory.builder()
                        .streamReadConstraints(
                                StreamReadConstraints.builder()
                                        .maxNestingDepth(JsonReader.MAX_DEPTH)
                                        .maxNumberLength(JsonReader.MAX_NUMBER_LENGTH)
                                        .maxStringLength(Integer.MAX_VALUE)
                                        .maxNameLength(Integer.MAX_VALUE)
                                        .build()));
    }

    /** A parser of these bytes. */
    static JsonParser parser(byte[] utf8, int offset, int length) {
        return FACTORY.createParser(ObjectReadContext.empty(), utf8, offset, length);
    }

    /** Reads a text to its end with these names. */
    static void read(String text, MemberNames names) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        IOContext context = FACTORY._createContext(FACTORY._createContentReference(utf8), true);
        try (JsonParser parser =
                FACTORY.parser(ObjectReadContext.empty(), context, utf8, 0, utf8.length, names)) {
            while (parser.nextToken() != null) {
                // the names are what counts
            }
        }
    }

    @Override
    protected JsonParser _createParser(
            ObjectReadContext reading, IOContext context, byte[] utf8, int offset, int length) {
        return parser(reading, context, utf8, offset, length, MemberNames.forText(length));
    }

    private JsonParser parser(
            ObjectReadContext reading,
            IOContext context,
            byte[] utf8,
            int offset,
            int length,
            MemberNames names) {
        return new UTF8StreamJsonParser(
                reading,
                context,
                reading.getStreamReadFeatures(_streamReadFeatures),
                reading.getFormatReadFeatures(_formatReadFeatures),
                null,
                names,
                utf8,
                offset,
                offset + length,
                0,
                false);
    }
}
