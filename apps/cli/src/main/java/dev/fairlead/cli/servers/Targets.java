package dev.fairlead.cli.servers;

import dev.fairlead.stdio.Stdio;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Finds the server that a user means. The servers file is read only where it is needed. For use by
 * one thread.
 */
public final class Targets {
    private static final Pattern URL = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://.*");

    private static final Pattern ADDRESS =
            Pattern.compile("(\\[[0-9a-fA-F:]+]|[A-Za-z0-9.-]+)(:[0-9]{1,5}(/.*)?|/.*)|localhost");
    private static final Pattern LOCAL = Pattern.compile("localhost\\b|127\\.|\\[");

    private final @Nullable Path serversFile;
    private final Environment environment;
    private final Function<String, Optional<ServerEntry>> ofHosts;

    /**
     * @param serversFile the one that the user names; null where he names none
     * @param ofHosts finds the server of a name {@code HOST:NAME} in the file of the host
     */
    public Targets(
            @Nullable Path serversFile,
            Environment environment,
            Function<String, Optional<ServerEntry>> ofHosts) {
        this.serversFile = serversFile;
        this.environment = environment;
        this.ofHosts = ofHosts;
    }

    /** The servers file that holds; see {@link ServersFile#find}. */
    public Optional<ServersFile> serversFile() {
        return ServersFile.find(serversFile, environment);
    }

    /**
     * The server behind a URL, of a name in the servers file, or of a name {@code HOST:NAME}.
     *
     * @param transport how it must be reached; null where the user does not say
     * @throws TargetException if it is neither, is broken, or is reached in another way
     */
    public Target named(String urlOrName, @Nullable Transport transport) {
        Target target =
                URL.matcher(urlOrName).matches()
                        ? behind(urlOrName)
                        : ofHosts.apply(urlOrName)
                                .map(ServerEntry::target)
                                .orElseGet(() -> fromFile(urlOrName));
        return checked(target, transport);
    }

    /**
     * The server that a command starts.
     *
     * @param command the program and its arguments, not empty
     * @throws TargetException if another transport is asked for
     */
    public Target command(List<String> command, @Nullable Transport transport) {
        return checked(
                new Target.Program(command.get(0), Stdio.command(command.toArray(String[]::new))),
                transport);
    }

    private static Target behind(String url) {
        try {
            var connector = Endpoints.at(url);
            return new Target.Endpoint(
                    connector.toString(), connector.authorization(new StoredLogins()));
        } catch (IllegalArgumentException e) {
            throw new TargetException("invalid server URL: " + e.getMessage());
        }
    }

    private Target fromFile(String name) {
        ServersFile file = serversFile().orElseThrow(() -> noFile(name));
        String question = missingScheme(name);
        if (!question.isEmpty() && !file.names().contains(name)) {
            throw new TargetException(
                    question
                            + "\""
                            + name
                            + "\" is neither a URL (http:// or https://) nor the name of a server"
                            + " in "
                            + file.path());
        }
        return file.entry(name).target();
    }

    /** A URL without its scheme, such as {@code localhost:3000} or {@code example.com/mcp}. */
    private static String missingScheme(String name) {
        if (!ADDRESS.matcher(name).matches()) {
            return "";
        }
        String scheme = LOCAL.matcher(name).lookingAt() ? "http://" : "https://";
        String path = name.contains("/") ? "" : "/mcp";
        return "did you mean " + scheme + name + path + "? ";
    }

    private TargetException noFile(String name) {
        return new TargetException(
                missingScheme(name)
                        + "\""
                        + name
                        + "\" is neither a URL (http:// or https://) nor the name of a server:"
                        + " no servers file found ("
                        + ServersFile.usualPlaces(environment).stream()
                                .map(Path::toString)
                                .collect(Collectors.joining(", "))
                        + ")");
    }

    private static Target checked(Target target, @Nullable Transport transport) {
        if (transport == Transport.SSE && target instanceof Target.Endpoint endpoint) {
            return endpoint.overSse();
        }
        if (transport != null && transport != target.transport()) {
            throw new TargetException(
                    "--transport "
                            + transport
                            + " does not fit "
                            + target.label()
                            + ", which is reached by "
                            + target.transport());
        }
        return target;
    }
}
