package dev.fairlead.cli;

import dev.fairlead.auth.client.Logout;
import dev.fairlead.auth.client.OAuth;
import dev.fairlead.cli.servers.LoginStore;
import dev.fairlead.cli.servers.Target;
import dev.fairlead.json.JsonObject;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;

/** {@code fairlead logout}. */
@Command(
        name = "logout",
        description = {
            "Logs out of a server: asks its issuer to revoke the tokens, and deletes them here.",
            "If the issuer does not revoke them, they are deleted all the same, with a warning."
        },
        footer = {"", "Example:", "  fairlead logout https://reports.example/mcp"})
final class LogoutCommand implements Callable<Integer> {
    private final Console console;
    private final Interrupts interrupts;

    @Mixin private @Nullable LoginTarget target;

    LogoutCommand(Console console, Interrupts interrupts) {
        this.console = console;
        this.interrupts = interrupts;
    }

    @Override
    public Integer call() {
        LoginTarget given = Objects.requireNonNull(target);
        Output output = new Output(console, given.json);
        try {
            Target.Endpoint server = given.endpoint(console.environment());
            Logout done =
                    interrupts.during(
                            () ->
                                    OAuth.withTokenStore(LoginStore.of(console.environment()))
                                            .logout(server.remote().endpoint()));
            output.answer(
                    json(server.label(), done),
                    (answer, screen) -> List.of(sentence(server.label(), done)));
            return ExitStatus.OK;
        } catch (RuntimeException | InterruptedException e) {
            return output.failure(Failure.of(e));
        }
    }

    private static JsonObject json(String server, Logout done) {
        JsonObject json =
                JsonObject.of("server", server, "revoked", done instanceof Logout.Revoked);
        return switch (done) {
            case Logout.NotLoggedIn() -> json;
            case Logout.Revoked(String issuer) -> json.with("issuer", issuer);
            case Logout.Forgotten(String issuer, String reason) ->
                    json.with("issuer", issuer).with("reason", reason);
        };
    }

    private static String sentence(String server, Logout done) {
        return switch (done) {
            case Logout.NotLoggedIn() -> "Not logged in to " + server;
            case Logout.Revoked(String issuer) ->
                    "Logged out of " + server + ": " + issuer + " revoked the tokens";
            case Logout.Forgotten(String issuer, String reason) ->
                    "Logged out of "
                            + server
                            + ", but the tokens were not revoked by "
                            + issuer
                            + ": "
                            + reason;
        };
    }
}
