package dev.fairlead.cli;

import dev.fairlead.cli.servers.TargetException;
import dev.fairlead.cli.tasks.LeftTaskException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcError;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.CapabilityException;

import java.util.Objects;

/**
 * A failure as a command reports it. Only this class converts exceptions to exit statuses.
 *
 * @param status how the command ends
 * @param message for people
 * @param error for {@code --json}: the JSON-RPC error; without a code for any other failure
 */
record Failure(int status, String message, JsonObject error) {

    static Failure of(Exception e) {
        return switch (e) {
            case UnknownNameException unknown -> {
                Failure refused = refused(unknown.error());
                yield new Failure(
                        refused.status, refused.message + unknown.suggestion(), refused.error);
            }
            case JsonRpcException refused -> refused(refused.error());
            case CapabilityException lacking -> undeclared(message(lacking));
            case UsageException wrong -> usage(message(wrong));
            case TargetException nowhere -> usage(message(nowhere));
            case LeftTaskException left -> plain(ExitStatus.INTERRUPTED, message(left));
            case InterruptedException interrupted -> plain(ExitStatus.INTERRUPTED, "Cancelled");
            default -> plain(ExitStatus.NO_ANSWER, message(e));
        };
    }

    /** The command line cannot be run. */
    static Failure usage(String message) {
        return plain(ExitStatus.USAGE, message);
    }

    private static Failure refused(JsonRpcError error) {
        JsonObject json = JsonObject.of("code", error.code(), "message", error.message());
        return new Failure(
                ExitStatus.REFUSED,
                error.message() + " (" + error.code() + ")",
                error.data() == null ? json : json.with("data", error.data()));
    }

    /** Refuses a request without the server's capability before it is sent, as the server would. */
    private static Failure undeclared(String message) {
        return new Failure(
                ExitStatus.REFUSED,
                message,
                JsonObject.of("code", ErrorCode.METHOD_NOT_FOUND, "message", message));
    }

    private static Failure plain(int status, String message) {
        return new Failure(status, message, JsonObject.of("message", message));
    }

    private static String message(Exception e) {
        return Objects.requireNonNullElse(e.getMessage(), e.getClass().getSimpleName());
    }
}
