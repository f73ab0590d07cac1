package dev.fairlead.cli.servers;

import java.util.Locale;
import java.util.Set;

/** How a server is reached. */
public enum Transport {
    /** A child process. */
    STDIO("stdio", "local"),
    /** Streamable HTTP. */
    HTTP("http", "streamablehttp", "remote"),
    /** HTTP+SSE of revision 2024-11-05. */
    SSE("sse");

    private final String word;
    private final Set<String> synonyms;

    Transport(String word, String... synonyms) {
        this.word = word;
        this.synonyms = Set.of(synonyms);
    }

    /**
     * Returns whether a servers file of some host may mean this one by this word. Capitals, hyphens
     * and underscores count for nothing: {@code streamable-http}, {@code streamable_http} and
     * {@code streamableHttp} are the same.
     */
    boolean isCalled(String type) {
        String plain = type.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
        return plain.equals(word) || synonyms.contains(plain);
    }

    /** Returns the word of the command line. */
    @Override
    public String toString() {
        return word;
    }
}
