package dev.fairlead.cli;

import dev.fairlead.auth.client.OAuth;
import dev.fairlead.auth.client.StoredLogin;
import dev.fairlead.cli.servers.LoginStore;
import dev.fairlead.cli.view.LoginList;
import dev.fairlead.json.JsonObject;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.time.Instant;
import java.util.List;

/** {@code fairlead auth …}. */
@Command(name = "auth", description = "Shows which servers you are logged in to.")
final class AuthCommand {
    private final Console console;

    AuthCommand(Console console) {
        this.console = console;
    }

    @Command(
            name = "status",
            description = {
                "Lists the logins on this machine: server, issuer, client, requested scopes, when"
                        + " the token expires, and whether it can be renewed.",
                "Contacts no server and shows no token."
            },
            footer = {"", "Example:", "  fairlead auth status --json"})
    int status(
            @Option(
                            names = "--json",
                            description = "print exactly one JSON document on standard output")
                    boolean json) {
        Output output = new Output(console, json);
        try {
            List<StoredLogin> logins =
                    OAuth.withTokenStore(LoginStore.of(console.environment())).logins();
            output.answer(
                    JsonObject.of("logins", logins.stream().map(Logins::json).toList()),
                    (answer, screen) ->
                            LoginList.lines(
                                    logins.stream().map(Logins::row).toList(),
                                    Instant.now(),
                                    screen));
            return ExitStatus.OK;
        } catch (RuntimeException e) {
            return output.failure(Failure.of(e));
        }
    }
}
