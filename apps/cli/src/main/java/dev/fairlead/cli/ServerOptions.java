package dev.fairlead.cli;

import dev.fairlead.cli.servers.Target;
import dev.fairlead.cli.servers.Transport;
import dev.fairlead.cli.view.ArgumentWords;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** The flags that every verb takes which talks to one server. */
final class ServerOptions {
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration MAX_TIMEOUT = Duration.ofDays(24);

    @Parameters(
            paramLabel = "TARGET",
            arity = "0..1",
            description =
                    "the URL of the server, or its name in the servers file; or -- followed by the"
                            + " command that starts it")
    @Nullable String target;

    @Option(
            names = "--servers",
            paramLabel = "FILE",
            description = "the servers file to use instead of the default one")
    @Nullable Path serversFile;

    @Mixin private @Nullable TrustOptions trust;

    @Option(names = "--json", description = "print exactly one JSON document on standard output")
    boolean json;

    @Option(
            names = "--timeout",
            paramLabel = "MS",
            description = "timeout for connecting, and then for the command, in milliseconds")
    @Nullable Long timeout;

    @Option(
            names = "--transport",
            paramLabel = "stdio|http|sse",
            description = "how to connect; by default derived from TARGET")
    @Nullable String transport;

    @Mixin private @Nullable RevisionOption revision;

    @Option(
            names = "--inherit-env",
            description =
                    "pass all environment variables to the started server; without this it gets"
                            + " PATH, HOME and a few more, and those of its definition")
    boolean inheritEnvironment;

    @Option(
            names = "--header",
            paramLabel = "NAME=VALUE",
            description = "a header of each request to a URL; repeatable")
    List<String> headers = new ArrayList<>();

    @Option(
            names = "--elicit",
            paramLabel = "JSON",
            description = "accept every form with this content, and every URL to visit")
    @Nullable String elicit;

    @Option(
            names = "--sample",
            paramLabel = "TEXT",
            description = "answer every sampling request of the server with this text")
    @Nullable String sample;

    @Option(
            names = "--root",
            paramLabel = "URI",
            description = "a root to offer to the server, a file: URI; repeatable")
    List<String> roots = new ArrayList<>();

    /**
     * Takes the words {@code KEY=VALUE} out of those behind the name of a tool or prompt. The one
     * that is left says which server.
     *
     * @param more the words behind the first, which stands in the place of the target
     * @throws UsageException if more than one is left
     */
    List<String> takeArguments(List<String> more) {
        List<String> words = Stream.concat(Stream.ofNullable(target), more.stream()).toList();
        List<String> targets =
                words.stream().filter(word -> !ArgumentWords.isArgument(word)).toList();
        if (targets.size() > 1) {
            throw new UsageException(
                    "unexpected argument '"
                            + targets.get(1)
                            + "': the server is "
                            + targets.getFirst()
                            + " already, and arguments have the form KEY=VALUE");
        }
        target = targets.isEmpty() ? null : targets.getFirst();
        return words.stream().filter(ArgumentWords::isArgument).toList();
    }

    /** The options by which another command reaches the same server, as they are typed. */
    List<String> reaching() {
        List<String> words = new ArrayList<>();
        add(words, "--servers", serversFile);
        add(words, "--cacert", Objects.requireNonNull(trust).certificates());
        add(words, "--transport", transport);
        add(words, "--revision", revision().revision().orElse(null));
        for (String header : headers) { // its value may be a secret
            add(words, "--header", header.replaceFirst("(?s)=.*", "=…"));
        }
        if (inheritEnvironment) {
            words.add("--inherit-env");
        }
        return words;
    }

    private static void add(List<String> words, String option, @Nullable Object value) {
        if (value != null) {
            words.add(option);
            words.add(value.toString());
        }
    }

    /** The server, with the trust that the user has and the headers. */
    Target trusting(Target server) {
        Target trusting = Objects.requireNonNull(trust).trusting(server);
        for (String header : headers) {
            int separator = header.indexOf('=');
            if (separator < 1) {
                throw new UsageException("--header needs NAME=VALUE but was " + header);
            }
            if (!(trusting instanceof Target.Endpoint endpoint)) {
                throw new UsageException(
                        "--header is for a URL, but "
                                + server.label()
                                + " is started as a program");
            }
            trusting =
                    endpoint.withHeader(
                            header.substring(0, separator), header.substring(separator + 1));
        }
        return trusting;
    }

    /** The limit that the user set, or the usual one. */
    Duration timeout() {
        Long milliseconds = timeout;
        if (milliseconds == null) {
            return DEFAULT_TIMEOUT;
        }
        return timeout(milliseconds);
    }

    /**
     * A limit that the user set.
     *
     * @throws UsageException if it is none, or so long that clocks overflow
     */
    static Duration timeout(long milliseconds) {
        if (milliseconds < 1) {
            throw new UsageException("--timeout must be at least 1 but was " + milliseconds);
        }
        if (milliseconds > MAX_TIMEOUT.toMillis()) {
            throw new UsageException(
                    "--timeout must be at most %s (%s days) but was %s"
                            .formatted(MAX_TIMEOUT.toMillis(), MAX_TIMEOUT.toDays(), milliseconds));
        }
        return Duration.ofMillis(milliseconds);
    }

    /** Returns whether the user set a limit, which progress does not extend then. */
    boolean isTimeoutSet() {
        return timeout != null;
    }

    /** The revision that the user chose. */
    RevisionOption revision() {
        return Objects.requireNonNull(revision);
    }

    /** Returns how the server must be reached; null where the user does not say. */
    @Nullable Transport transport() {
        String word = transport;
        if (word == null) {
            return null;
        }
        return Stream.of(Transport.values())
                .filter(known -> known.toString().equals(word))
                .findFirst()
                .orElseThrow(
                        () ->
                                new UsageException(
                                        "--transport must be stdio, http or sse but was " + word));
    }
}
