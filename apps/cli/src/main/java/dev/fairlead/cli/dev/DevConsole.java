package dev.fairlead.cli.dev;

import dev.fairlead.console.Console;
import dev.fairlead.console.spi.ConsoleTarget;
import dev.fairlead.http.ConsoleServing;
import dev.fairlead.http.Http;
import dev.fairlead.protocol.Remote;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The page on which a person tries the server of {@code fairlead dev}, at a free port of this
 * machine. It stays when the server is started again, and connects to the new one. Close it when
 * done.
 */
public final class DevConsole implements AutoCloseable {
    private final Tried tried;
    private final Console console;
    private final ConsoleServing serving;

    private DevConsole(Tried tried) throws IOException {
        this.tried = tried;
        this.console = Console.local().target(tried);
        this.serving = Http.port(0).console(console).serveConsole();
    }

    /**
     * Opens the page.
     *
     * @param command starts the server, as it is typed
     * @param program the same program for a consumer of its standard error
     * @throws IOException if no port can be opened
     */
    public static DevConsole open(
            DevProxy proxy, List<String> command, Function<Consumer<String>, Remote> program)
            throws IOException {
        return new DevConsole(new Tried(proxy, command, program));
    }

    /** Returns the address of the page with its token, which gives access to the server. */
    public URI address() {
        return console.address(serving);
    }

    /** Sets the URL at which the server is reached over HTTP, too. */
    public void servedAt(URI url) {
        tried.url = url;
    }

    @Override
    public void close() {
        serving.close();
    }

    /** The server as pages reach it: each has a process of its own. */
    static final class Tried implements ConsoleTarget {
        private final DevProxy proxy;
        private final List<String> command;
        private final Function<Consumer<String>, Remote> program;
        private volatile @Nullable URI url;

        Tried(DevProxy proxy, List<String> command, Function<Consumer<String>, Remote> program) {
            this.proxy = proxy;
            this.command = command;
            this.program = program;
        }

        @Override
        public String label() {
            return proxy.name();
        }

        @Override
        public List<String> words() {
            URI at = url;
            return at == null
                    ? Stream.concat(Stream.of("--"), command.stream()).toList()
                    : List.of(at.toString());
        }

        @Override
        public @Nullable URI url() {
            return url;
        }

        @Override
        public Remote remote(Consumer<String> stderr) {
            return proxy.through(program.apply(stderr));
        }

        @Override
        public Runnable onRestart(Consumer<Restart> listener) {
            return proxy.onRestart(listener);
        }
    }
}
