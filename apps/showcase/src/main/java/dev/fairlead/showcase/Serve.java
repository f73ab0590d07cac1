package dev.fairlead.showcase;

import dev.fairlead.console.Console;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpListener;
import dev.fairlead.http.HttpServing;
import dev.fairlead.jdbc.DatabaseException;
import dev.fairlead.jdbc.WrappingKey;
import dev.fairlead.protocol.Serving;
import dev.fairlead.server.McpServer;
import dev.fairlead.stdio.Stdio;
import dev.fairlead.tasks.TaskStoreException;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** {@code fairlead serve}: the tour, or the fixtures, over HTTP or stdio. */
public final class Serve {
    /** The names under which this machine alone is reached. */
    private static final Set<String> LOCAL = Set.of("127.0.0.1", "localhost", "::1", "[::1]");

    /** The limit of the shutdown, below 10 s after SIGTERM. */
    private static final Duration LONGEST_END = Duration.ofSeconds(9);

    /** The launcher as it is typed; another launcher sets it. */
    private static final String PROGRAM = System.getProperty("fairlead.program", "./fairlead");

    private static final String USAGE =
            """
            Usage: fairlead serve [--http HOST:PORT | --port PORT] [--stateless] [--sse] [--store PLACE]
                                  [--log LEVEL] [--trace] [--tour] [--fixtures | --bench]
                                  [--oldest DATE] [--newest DATE] [--state-keys FILE] [--peers HOST:PORT]
                                  [--store-password-env NAME | --store-password-file FILE] [--store-key-file FILE]
                                  [--tls-cert PEM --tls-key PEM [--tls-key-password-env NAME]]
                   fairlead serve --stdio [--store PLACE] [--log LEVEL] [--trace] [--tour] [--fixtures | --bench]

            Serves the tour, a small server about night trains: tools, resources, a prompt, forms and tasks to try.

              --http HOST:PORT  serve on http://HOST:PORT/mcp (default 127.0.0.1:${PORT:-3000}; port 0 takes a free one)
              --port PORT       the same as --http 127.0.0.1:PORT
              --tls-cert PEM    serve HTTPS with the certificate in this file; needs --tls-key
              --tls-key PEM     the private key of the certificate; the same file may hold both
              --tls-key-password-env NAME
                                the environment variable that has the password of the key
              --stdio           serve on standard input and output instead
              --stateless       no sessions, and JSON answers only, for clients up to revision 2025-11-25
              --sse             old clients too: HTTP+SSE of revision 2024-11-05 on /sse and /messages
              --store PLACE     keep tasks, sessions and state keys in memory (the default: gone when the server ends), in
                                file:PATH, or in jdbc:postgresql://HOST/DATABASE?user=NAME, which several servers may
                                share; these announce each other's changes too
              --store-password-env NAME
                                the environment variable that has the password of the database (default PGPASSWORD)
              --store-password-file FILE
                                the file whose first line is that password; a password in PLACE is visible in the
                                list of processes
              --store-key-file FILE
                                the key that wraps the state keys in the store, in Base64, the same for all servers;
                                see fairlead state-key (default: they lie open in the store)
              --oldest DATE     the oldest revision of the protocol that is served (default 2024-11-05)
              --newest DATE     the newest (default 2026-07-28)
              --state-keys FILE the keys by which requests of revision 2026-07-28 that ask are sealed between their rounds, one a
                                line in Base64, for servers that share a load; see fairlead state-key (default: those in the store)
              --peers HOST:PORT the address of this machine at which other servers of the same database forward requests to
                                the owner of their session, so that a client may reach any of them; needs --store
              --fixtures        the fixtures of the conformance suite and of other peers, in place of the tour
              --tour            the tour; with --fixtures both together
              --bench           only one tool, echo, for measuring
              --log LEVEL       log from this level on: error, warning, info, debug or trace (default info)
              --trace           print each frame on standard error, secrets masked
            """;

    private Serve() {}

    public static void main(String[] arguments) throws InterruptedException {
        Logging.begin();
        System.exit(run(arguments, System.getenv(), System.out, System.err));
    }

    /**
     * Serves until this thread is interrupted, or standard input ends.
     *
     * @return the exit status
     */
    static int run(
            String[] arguments, Map<String, String> environment, PrintStream out, PrintStream err)
            throws InterruptedException {
        ServeOptions options;
        HttpListener listener;
        String password;
        WrappingKey wrapping;
        try {
            options = ServeOptions.parse(arguments, environment.get("PORT"));
            listener = listener(options, environment);
            password = options.storePassword().read(options.store(), environment);
            wrapping = options.storeKey() == null ? null : WrappingKey.read(options.storeKey());
        } catch (IllegalArgumentException | UncheckedIOException e) {
            err.println("fairlead serve: " + e.getMessage());
            err.print(USAGE);
            return 64;
        }
        if (options.help()) {
            out.print(USAGE);
            return 0;
        }
        if (StorePassword.isIn(options.store())) {
            err.println("fairlead serve: warning: " + StorePassword.WARNING);
        }
        if (options.served() == Served.BENCH) {
            Logging.quiet();
        }
        if (options.log() != null) {
            Logging.level(options.log());
        }
        if (options.trace()) {
            Logging.trace();
        }
        return serve(
                options,
                listener,
                () -> Storage.open(options.store(), password, wrapping),
                out,
                err);
    }

    private static int serve(
            ServeOptions options,
            HttpListener listener,
            Supplier<Storage> opening,
            PrintStream out,
            PrintStream err)
            throws InterruptedException {
        try (Storage storage = opening.get();
                McpServer server =
                        options.served()
                                .server(
                                        storage.tasks(),
                                        builder -> options.set(storage.set(builder)));
                Closing closing = new Closing(server, storage)) {
            Runtime.getRuntime().addShutdownHook(shutdown(closing));
            return options.stdio()
                    ? serveStdio(server, options.served())
                    : serveHttp(server, options, listener, out);
        } catch (IllegalArgumentException e) { // a file or a variable that an option names
            err.println("fairlead serve: " + e.getMessage());
            return 64;
        } catch (IOException | UncheckedIOException | DatabaseException | TaskStoreException e) {
            err.println("fairlead serve: " + e.getMessage());
            return 1;
        }
    }

    /**
     * The end of both, in order: requests, then tasks, then their store. A signal has it run beside
     * the end of the main thread; the second waits for the first.
     */
    private record Closing(McpServer server, Storage storage) implements AutoCloseable {
        @Override
        public synchronized void close() {
            server.close();
            storage.close();
        }
    }

    /**
     * Closes the server in order upon SIGTERM. A store that does not answer is not waited for any
     * longer than {@link #LONGEST_END}.
     */
    private static Thread shutdown(Closing closing) {
        return new Thread(
                () -> {
                    Thread thread = Thread.ofPlatform().name("mcp-closing").start(closing::close);
                    if (!isOver(thread)) {
                        System.err.println(
                                "fairlead serve: ended before everything was closed, which took"
                                        + " longer than "
                                        + LONGEST_END.toSeconds()
                                        + " s");
                    }
                },
                "mcp-shutdown");
    }

    private static boolean isOver(Thread closing) {
        try {
            return closing.join(LONGEST_END);
        } catch (InterruptedException e) { // no code has a reference to this thread
            throw new IllegalStateException(e);
        }
    }

    private static int serveStdio(McpServer server, Served served) throws InterruptedException {
        try (Serving serving = server.serve(Stdio.streams())) {
            Logging.hint(
                    List.of(
                            "Waiting for a client on standard input. Clients start this program"
                                    + " themselves."));
            Logging.hint(
                    served.greeting(
                            PROGRAM,
                            "-- " + PROGRAM + " serve --stdio" + served.options(),
                            "Ctrl-D"));
            serving.await();
        }
        return 0;
    }

    private static HttpListener listener(ServeOptions options, Map<String, String> environment) {
        HttpListener listener = Http.port(options.port()).host(options.host());
        if (options.certificate() != null) {
            listener = options.certificate().on(listener, environment);
        }
        if (options.served() != Served.TOUR) { // peers that test the endpoint get its refusals
            listener = listener.withoutPage();
        }
        if (options.stateless()) {
            listener = listener.stateless();
        }
        if (options.sse()) {
            listener = listener.legacySse();
        }
        if (options.peers() != null) {
            listener = listener.peers(options.peers());
        }
        return listener;
    }

    private static int serveHttp(
            McpServer server, ServeOptions options, HttpListener listener, PrintStream out)
            throws IOException, InterruptedException {
        Console console = Console.local();
        boolean watched = options.served() != Served.BENCH && LOCAL.contains(options.host());
        HttpServing serving = server.serve(watched ? listener.console(console) : listener);
        String url = serving.uri().toString();
        out.println("listening on " + url);
        List<String> lines = new ArrayList<>(options.served().greeting(PROGRAM, url, "Ctrl-C"));
        if (watched) { // on a terminal alone, since the address gives access
            lines.add(lines.size() - 1, "Watch it in a browser: " + console.address(serving));
        }
        Logging.hint(lines);
        serving.await();
        return 0;
    }
}
