package dev.fairlead.cli;

import dev.fairlead.auth.Secret;
import dev.fairlead.auth.client.OAuth;
import dev.fairlead.auth.client.StoredLogin;
import dev.fairlead.cli.ask.Browser;
import dev.fairlead.cli.servers.LoginStore;
import dev.fairlead.cli.servers.Target;
import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonNull;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;

/** {@code fairlead login}. */
@Command(
        name = "login",
        description = {
            "Logs in to a server that requires it, in a browser.",
            "All commands use the login and renew it, but only this one starts it. It is stored in"
                    + " a file that only you can read.",
            "Set FAIRLEAD_LOGINS=keyring for all commands to encrypt that file with a key in the"
                    + " keyring of the platform."
        },
        footer = {
            "",
            "Examples:",
            "  fairlead login https://reports.example/mcp",
            "  fairlead login --no-browser --scope reports:purge https://reports.example/mcp"
        })
final class LoginCommand implements Callable<Integer> {
    private static final String PROGRAM = "fairlead (command line)";

    private final Console console;
    private final Interrupts interrupts;

    /** Whether the server has asked for a login. */
    private volatile boolean isAsked;

    @Mixin private @Nullable LoginTarget target;

    @Option(
            names = "--client-id",
            paramLabel = "ID",
            description = "the id of a client that is registered with the issuer")
    private @Nullable String clientId;

    @Option(
            names = "--client-secret-env",
            paramLabel = "NAME",
            description =
                    "the environment variable with the secret of that client; needs --issuer; the"
                            + " secret is stored with the login")
    private @Nullable String secretVariable;

    @Option(
            names = "--redirect-port",
            paramLabel = "PORT",
            defaultValue = "0",
            description =
                    "the local port of the redirect URI, if the client is registered with one;"
                            + " by default a free port")
    private int redirectPort;

    @Option(
            names = "--client-metadata",
            paramLabel = "URL",
            description = "the URL of the client metadata document, for issuers that read it")
    private @Nullable URI clientMetadata;

    @Option(
            names = "--scope",
            paramLabel = "SCOPE",
            description = "request this scope as well; repeatable")
    private List<String> scopes = new ArrayList<>();

    @Option(
            names = "--issuer",
            paramLabel = "URL",
            description = "the only issuer to log in with, whichever the server names")
    private @Nullable String issuer;

    @Option(
            names = "--no-browser",
            description = "print the login URL instead of opening a browser")
    private boolean noBrowser;

    @Option(
            names = "--timeout",
            paramLabel = "MS",
            defaultValue = "300000",
            description = "how long to wait for you to log in, in milliseconds")
    private long timeout;

    LoginCommand(Console console, Interrupts interrupts) {
        this.console = console;
        this.interrupts = interrupts;
    }

    @Override
    public Integer call() {
        LoginTarget given = Objects.requireNonNull(target);
        Output output = new Output(console, given.json);
        try {
            Target.Endpoint server = given.endpoint(console.environment());
            OAuth oauth = oauth(ServerOptions.timeout(timeout), server.label());
            Optional<StoredLogin> login = interrupts.during(() -> login(server, oauth));
            output.answer(
                    JsonObject.of(
                            "login", login.<JsonValue>map(Logins::json).orElse(JsonNull.NULL)),
                    (answer, screen) -> List.of(sentence(server.label(), login)));
            return ExitStatus.OK;
        } catch (RuntimeException | InterruptedException e) {
            return output.failure(Failure.of(e));
        }
    }

    private OAuth oauth(Duration limit, String server) {
        OAuth oauth =
                OAuth.browser(PROGRAM)
                        .tokens(LoginStore.of(console.environment()))
                        .forceLogin()
                        .loginTimeout(limit)
                        .redirectPort(port())
                        .browser(url -> show(url, server));
        if (!scopes.isEmpty()) {
            String[] wanted = scopes.toArray(String[]::new);
            oauth = oauth.scopes(wanted).additionalScopes(wanted);
        }
        oauth = withClient(oauth);
        oauth = issuer == null ? oauth : oauth.issuer(issuer);
        return clientMetadata == null ? oauth : withMetadata(oauth, clientMetadata);
    }

    private int port() {
        if (redirectPort < 0 || redirectPort > 65_535) {
            throw new UsageException("--redirect-port must be 0 to 65535 but was " + redirectPort);
        }
        return redirectPort;
    }

    private OAuth withClient(OAuth oauth) {
        if (secretVariable == null) {
            return clientId == null ? oauth : oauth.client(clientId);
        }
        if (clientId == null) {
            throw new UsageException("--client-secret-env needs --client-id");
        }
        if (issuer == null) {
            throw new UsageException(
                    "--client-secret-env needs --issuer; the secret is sent to no other");
        }
        String secret =
                NamedSecret.of("--client-secret-env", secretVariable, console.environment());
        return oauth.client(clientId, Secret.from(() -> secret)).keepSecret();
    }

    private static OAuth withMetadata(OAuth oauth, URI document) {
        try {
            return oauth.clientMetadata(document);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--client-metadata: " + e.getMessage());
        }
    }

    /** Says hello to the server, which asks for a login then; empty if it does not. */
    private Optional<StoredLogin> login(Target.Endpoint server, OAuth oauth)
            throws InterruptedException {
        try (McpClient client =
                McpClient.named(Clients.NAME, Clients.VERSION)
                        .connect(server.remote().authorization(oauth))) {
            return isAsked ? oauth.login(server.remote().endpoint()) : Optional.empty();
        }
    }

    private void show(URI url, String server) {
        isAsked = true;
        console.say("To log in to " + server + " open this page:");
        console.say(url.toASCIIString());
        if (!noBrowser && !Browser.ofSystem().open(url.toASCIIString())) {
            console.say("Cannot start a browser; please open the page yourself");
        }
    }

    private static String sentence(String server, Optional<StoredLogin> login) {
        return login.map(made -> "You are logged in to " + server + " by " + made.issuer())
                .orElse(server + " requires no login");
    }
}
