package dev.fairlead.cli.servers;

import java.util.Set;

/** How a server is reached. */
public enum Transport {
    /** A child process. */
    STDIO("stdio"),
    /** Streamable HTTP. */
    HTTP("http", "streamable-http", "streamableHttp"),
    /** HTTP+SSE of revision 2024-11-05. */
    SSE("sse");

    private final String word;
    private final Set<String> synonyms;

    Transport(String word, String... synonyms) {
        this.word = word;
        this.synonyms = Set.of(synonyms);
    }

    /** Whether a servers file of some host may mean this one by this word. */
    boolean isCalled(String type) {
        return type.equals(word) || synonyms.contains(type);
    }

    /** As it is written on the command line. */
    @Override
    public String toString() {
        return word;
    }
}
