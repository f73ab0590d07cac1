package dev.fairlead.showcase;

import dev.fairlead.http.options.Peers;
import dev.fairlead.protocol.Revision;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.RequestState;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/** The options of {@code fairlead serve}. */
record ServeOptions(
        String host,
        int port,
        boolean stdio,
        boolean stateless,
        boolean sse,
        Served served,
        System.Logger.@Nullable Level log,
        boolean trace,
        Set<Revision> revisions,
        @Nullable Path stateKeys,
        @Nullable Peers peers,
        String store,
        StorePassword storePassword,
        @Nullable Path storeKey,
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
        return new Parser(List.of(arguments)).parse(port);
    }

    /** The values of the options, as they are read one by one. */
    private static final class Parser {
        private final Iterator<String> rest;
        private @Nullable String address;
        private @Nullable String store;
        private @Nullable String storePasswordVariable;
        private @Nullable String storePasswordFile;
        private @Nullable String certificate;
        private @Nullable String key;
        private @Nullable String keyPassword;
        private @Nullable String oldest;
        private @Nullable String newest;
        private @Nullable Path stateKeys;
        private @Nullable Path storeKey;
        private @Nullable Peers peers;
        private boolean stdio;
        private boolean stateless;
        private boolean sse;
        private boolean tour;
        private boolean fixtures;
        private boolean bench;
        private System.Logger.@Nullable Level log;
        private boolean trace;
        private boolean help;

        Parser(List<String> arguments) {
            rest = arguments.iterator();
        }

        ServeOptions parse(@Nullable String port) {
            while (rest.hasNext()) {
                read(rest.next());
            }
            Served served = Served.of(tour, fixtures, bench);
            Certificate https = Certificate.of(certificate, key, keyPassword);
            if (stdio && (https != null || address != null || stateless || sse)) {
                throw new IllegalArgumentException(
                        "--stdio goes with none of --http, --stateless, --sse and --tls-cert");
            }
            if (peers != null && (stdio || store == null)) {
                throw new IllegalArgumentException("--peers needs --http and --store");
            }
            if (bench && store != null) {
                throw new IllegalArgumentException("--bench has no tasks that --store could keep");
            }
            if (storeKey != null && store == null) {
                throw new IllegalArgumentException("--store-key-file needs --store");
            }
            return new ServeOptions(
                    address == null ? DEFAULT_HOST : host("--http", address),
                    portOf(address, port),
                    stdio,
                    stateless,
                    sse,
                    served,
                    log,
                    trace,
                    between(oldest, newest),
                    stateKeys,
                    peers,
                    store == null ? Storage.MEMORY : store,
                    StorePassword.of(store, storePasswordVariable, storePasswordFile),
                    storeKey,
                    https,
                    help);
        }

        private void read(String option) {
            switch (option) {
                case "--http" -> address = value(option, "HOST:PORT");
                case "--port" -> address = DEFAULT_HOST + ":" + value(option, "a port");
                case "--store" -> store = Storage.check(value(option, "a place"));
                case "--store-password-env" -> storePasswordVariable = value(option, "a variable");
                case "--store-password-file" -> storePasswordFile = value(option, "a file");
                case "--store-key-file" -> storeKey = Path.of(value(option, "a file"));
                case "--tls-cert" -> certificate = value(option, "a file");
                case "--tls-key" -> key = value(option, "a file");
                case "--tls-key-password-env" -> keyPassword = value(option, "a variable");
                case "--oldest" -> oldest = value(option, "a revision");
                case "--newest" -> newest = value(option, "a revision");
                case "--state-keys" -> stateKeys = Path.of(value(option, "a file"));
                case "--peers" -> peers = peers(value(option, "HOST:PORT"));
                case "--stdio" -> stdio = true;
                case "--stateless" -> stateless = true;
                case "--sse" -> sse = true;
                case "--tour" -> tour = true;
                case "--fixtures" -> fixtures = true;
                case "--bench" -> bench = true;
                case "--log" -> log = level(value(option, "a level"));
                case "--trace" -> trace = true;
                case "--help", "-h" -> help = true;
                default -> throw new IllegalArgumentException("unknown option " + option);
            }
        }

        private static System.Logger.Level level(String name) {
            return Stream.of("error", "warning", "info", "debug", "trace")
                    .filter(name::equalsIgnoreCase)
                    .map(known -> System.Logger.Level.valueOf(known.toUpperCase(Locale.ROOT)))
                    .findAny()
                    .orElseThrow(
                            () ->
                                    new IllegalArgumentException(
                                            "--log is error, warning, info, debug or trace but was "
                                                    + name));
        }

        private String value(String option, String needed) {
            if (!rest.hasNext()) {
                throw new IllegalArgumentException(option + " needs " + needed);
            }
            return rest.next();
        }
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

    private static int portOf(@Nullable String address, @Nullable String variable) {
        if (address != null) {
            return port(address.substring(address.lastIndexOf(':') + 1), "--http " + address);
        }
        return variable == null || variable.isBlank()
                ? DEFAULT_PORT
                : port(variable.strip(), "PORT=" + variable);
    }

    private static Peers peers(String address) {
        int port = port(address.substring(address.lastIndexOf(':') + 1), "--peers " + address);
        return Peers.listen(host("--peers", address), port);
    }

    private static String host(String option, String address) {
        int colon = address.lastIndexOf(':');
        if (colon < 1) {
            throw new IllegalArgumentException(option + " needs HOST:PORT but was " + address);
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
