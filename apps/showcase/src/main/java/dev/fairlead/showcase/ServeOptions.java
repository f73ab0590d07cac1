package dev.fairlead.showcase;

import dev.fairlead.protocol.Revision;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.RequestState;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The options of {@code fairlead serve}. */
record ServeOptions(
        String host,
        int port,
        boolean stdio,
        boolean stateless,
        boolean sse,
        boolean bench,
        boolean trace,
        Set<Revision> revisions,
        @Nullable Path stateKeys,
        String store,
        StorePassword storePassword,
        @Nullable Certificate certificate,
        boolean help) {

    static final String DEFAULT_HOST = "127.0.0.1";
    static final int DEFAULT_PORT = 3000;

    /**
     * Reads the arguments.
     *
     * @param port the variable PORT of the environment; null where it is not set
     * @throws IllegalArgumentException with a message for people
     */
    static ServeOptions parse(String[] arguments, @Nullable String port) {
        String address = null;
        String store = null;
        String storePasswordVariable = null;
        String storePasswordFile = null;
        String certificate = null;
        String key = null;
        String keyPassword = null;
        boolean stdio = false;
        boolean stateless = false;
        boolean sse = false;
        boolean bench = false;
        boolean trace = false;
        boolean help = false;
        String oldest = null;
        String newest = null;
        Path stateKeys = null;
        for (int i = 0; i < arguments.length; i++) {
            switch (arguments[i]) {
                case "--http" -> address = value(arguments, ++i, "--http needs HOST:PORT");
                case "--store" ->
                        store = Storage.check(value(arguments, ++i, "--store needs a place"));
                case "--store-password-env" ->
                        storePasswordVariable =
                                value(arguments, ++i, "--store-password-env needs a variable");
                case "--store-password-file" ->
                        storePasswordFile =
                                value(arguments, ++i, "--store-password-file needs a file");
                case "--tls-cert" -> certificate = value(arguments, ++i, "--tls-cert needs a file");
                case "--tls-key" -> key = value(arguments, ++i, "--tls-key needs a file");
                case "--tls-key-password-env" ->
                        keyPassword =
                                value(arguments, ++i, "--tls-key-password-env needs a variable");
                case "--oldest" -> oldest = value(arguments, ++i, "--oldest needs a revision");
                case "--newest" -> newest = value(arguments, ++i, "--newest needs a revision");
                case "--state-keys" ->
                        stateKeys = Path.of(value(arguments, ++i, "--state-keys needs a file"));
                case "--stdio" -> stdio = true;
                case "--stateless" -> stateless = true;
                case "--sse" -> sse = true;
                case "--bench" -> bench = true;
                case "--trace" -> trace = true;
                case "--help", "-h" -> help = true;
                default -> throw new IllegalArgumentException("unknown option " + arguments[i]);
            }
        }
        Certificate served = Certificate.of(certificate, key, keyPassword);
        if (stdio && (served != null || address != null || stateless || sse)) {
            throw new IllegalArgumentException(
                    "--stdio goes with none of --http, --stateless, --sse and --tls-cert");
        }
        if (bench && store != null) {
            throw new IllegalArgumentException("--bench has no tasks that --store could keep");
        }
        return new ServeOptions(
                address == null ? DEFAULT_HOST : host(address),
                portOf(address, port),
                stdio,
                stateless,
                sse,
                bench,
                trace,
                between(oldest, newest),
                stateKeys,
                store == null ? Storage.MEMORY : store,
                StorePassword.of(store, storePasswordVariable, storePasswordFile),
                served,
                help);
    }

    /** Sets the options of the protocol. */
    McpServer.Builder set(McpServer.Builder builder) {
        builder.revisions(revisions.toArray(Revision[]::new));
        return stateKeys == null ? builder : builder.requestState(RequestState.keys(stateKeys));
    }

    /** The revisions from the oldest to the newest. */
    private static Set<Revision> between(@Nullable String oldest, @Nullable String newest) {
        Revision first = oldest == null ? Revision.values()[0] : revision("--oldest", oldest);
        Revision last =
                newest == null
                        ? Revision.values()[Revision.values().length - 1]
                        : revision("--newest", newest);
        if (!last.isAtLeast(first)) {
            throw new IllegalArgumentException("--newest must not be older than --oldest");
        }
        return EnumSet.range(first, last);
    }

    private static Revision revision(String option, String date) {
        return Revision.of(date)
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        option
                                                + " must be one of "
                                                + Revision.dates(List.of(Revision.values()))
                                                + " but was "
                                                + date));
    }

    private static String value(String[] arguments, int index, String otherwise) {
        if (index == arguments.length) {
            throw new IllegalArgumentException(otherwise);
        }
        return arguments[index];
    }

    private static int portOf(@Nullable String address, @Nullable String variable) {
        if (address != null) {
            return port(address.substring(address.lastIndexOf(':') + 1), "--http " + address);
        }
        return variable == null || variable.isBlank()
                ? DEFAULT_PORT
                : port(variable.strip(), "PORT=" + variable);
    }

    private static String host(String address) {
        int colon = address.lastIndexOf(':');
        if (colon < 1) {
            throw new IllegalArgumentException("--http needs HOST:PORT but was " + address);
        }
        String host = address.substring(0, colon);
        return host.startsWith("[") && host.endsWith("]")
                ? host.substring(1, host.length() - 1)
                : host;
    }

    private static int port(String text, String where) {
        try {
            int port = Integer.parseInt(text);
            if (port >= 0 && port <= 65_535) {
                return port;
            }
        } catch (NumberFormatException e) {
            // falls through to the one message for every bad port
        }
        throw new IllegalArgumentException(
                "a port is a number from 0 to 65535, but in " + where + " it is " + text);
    }
}
