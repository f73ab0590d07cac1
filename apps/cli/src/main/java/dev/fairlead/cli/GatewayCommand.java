package dev.fairlead.cli;

import dev.fairlead.cli.servers.ServersFile;
import dev.fairlead.cli.servers.Target;
import dev.fairlead.cli.view.LogLine;
import dev.fairlead.client.group.Naming;
import dev.fairlead.gateway.Gateway;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpListener;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.Serving;
import dev.fairlead.stdio.Stdio;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;

/** {@code fairlead gateway}. */
@Command(
        name = "gateway",
        description = "Serves the servers of a servers file as one, over HTTP or stdio.",
        footer = {
            "",
            "Each client gets its own connections to the servers. Without SERVERS.json the default"
                    + " servers file is used; see fairlead servers --help.",
            "",
            "Examples:",
            "  fairlead gateway --http 127.0.0.1:3000 servers.json",
            "  fairlead gateway --stdio servers.json",
            "  fairlead gateway --stdio --revision 2025-11-25 servers.json"
        })
final class GatewayCommand implements Callable<Integer> {
    private final Console console;
    private final Interrupts interrupts;

    @Option(
            names = "--http",
            paramLabel = "HOST:PORT",
            description = "serve on http://HOST:PORT/mcp; port 0 chooses a free port")
    private @Nullable String http;

    @Mixin private @Nullable CertificateOptions certificate;

    @Mixin private @Nullable TrustOptions trust;

    @Mixin private @Nullable RevisionOption revision;

    @Option(names = "--stdio", description = "serve on standard input and output instead")
    private boolean stdio;

    @Option(
            names = "--original-names",
            description = {
                "keep dots and other marks in the names of tools and prompts;",
                "by default names match [a-zA-Z0-9_-]{1,64}, which all hosts take"
            })
    private boolean originalNames;

    @Parameters(
            arity = "0..1",
            paramLabel = "SERVERS.json",
            description = "the servers file: {\"mcpServers\": {NAME: {…}}}")
    private @Nullable Path file;

    GatewayCommand(Console console, Interrupts interrupts) {
        this.console = console;
        this.interrupts = interrupts;
    }

    @Override
    public Integer call() {
        try {
            String address = http;
            if (stdio == (address != null)) {
                throw new UsageException("a gateway needs either --http HOST:PORT or --stdio");
            }
            if (stdio && Objects.requireNonNull(certificate).isGiven()) {
                throw new UsageException("--tls-cert and --tls-key need --http");
            }
            return address == null ? serveStdio() : serveHttp(Address.parse(address));
        } catch (UncheckedIOException e) {
            console.say("fairlead gateway: " + e.getMessage());
            return ExitStatus.NOT_SERVED;
        } catch (RuntimeException | InterruptedException e) {
            return new Output(console, false).failure(Failure.of(e));
        }
    }

    private int serveHttp(Address address) throws InterruptedException {
        HttpListener listener =
                Objects.requireNonNull(certificate)
                        .on(Http.port(address.port()).host(address.host()), console.environment());
        try (Gateway gateway = gateway();
                HttpServing serving = gateway.serve(listener)) {
            endWithProcess(gateway);
            console.out().println("listening on " + serving.uri());
            return await(serving);
        }
    }

    private int serveStdio() throws InterruptedException {
        try (Gateway gateway = gateway();
                Serving serving = gateway.serve(Stdio.streams())) {
            endWithProcess(gateway);
            return await(serving);
        }
    }

    private int await(Serving serving) throws InterruptedException {
        interrupts.during(
                () -> {
                    serving.await();
                    return serving;
                });
        return ExitStatus.OK;
    }

    /** A signal ends sessions and servers in their order before the JVM goes. */
    private static void endWithProcess(Gateway gateway) {
        Runtime.getRuntime().addShutdownHook(new Thread(gateway::close, "mcp-shutdown"));
    }

    // ---- the servers

    private Gateway gateway() {
        ServersFile servers =
                ServersFile.find(file, console.environment())
                        .orElseThrow(
                                () ->
                                        new UsageException(
                                                "no servers file found; give one:"
                                                        + " fairlead gateway … SERVERS.json"));
        List<String> names =
                servers.names().stream().filter(name -> !servers.isDisabled(name)).toList();
        if (names.isEmpty()) {
            throw new UsageException(
                    servers.path()
                            + (servers.names().isEmpty()
                                    ? " contains no servers"
                                    : " disables all of its servers"));
        }
        Objects.requireNonNull(revision).revision(); // is checked before a server is needed
        Gateway.Builder gateway =
                Gateway.named("fairlead-gateway", Clients.VERSION)
                        .naming(originalNames ? Naming.DEFAULT : Naming.STRICT);
        for (String name : names) {
            Remote remote = remote(name, servers.entry(name).target());
            try {
                gateway.server(name, remote, Objects.requireNonNull(revision)::restrict);
            } catch (IllegalArgumentException e) {
                throw new UsageException(
                        servers.path() + ": server " + JsonValue.of(name) + ": " + e.getMessage());
            }
        }
        return gateway.build();
    }

    private Remote remote(String name, Target target) {
        return switch (Objects.requireNonNull(trust).trusting(target)) {
            case Target.Endpoint endpoint -> endpoint.remote();
            case Target.Program program ->
                    program.remote().inOwnSession().onStderr(line -> say(name, line));
        };
    }

    private void say(String server, String line) {
        console.status().print(LogLine.ofStandardError(server, line, console.errorScreen()));
    }
}
