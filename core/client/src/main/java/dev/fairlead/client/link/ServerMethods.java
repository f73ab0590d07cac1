package dev.fairlead.client.link;

import dev.fairlead.protocol.CapabilityException;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Notifications;
import dev.fairlead.protocol.face.WireFace;
import dev.fairlead.protocol.lifecycle.ServerCapabilities;
import dev.fairlead.protocol.lifecycle.TasksCapability;
import dev.fairlead.protocol.tasks.TasksExtension;

/**
 * Which capability of the server a method needs, and which names of methods the protocol keeps for
 * itself.
 */
public final class ServerMethods {
    private ServerMethods() {}

    /**
     * Checks that the server can answer a method.
     *
     * @throws CapabilityException if it did not declare the capability of the method
     */
    public static void require(
            Method<?, ?> method, ServerCapabilities capabilities, WireFace face) {
        String needed = face.capability(method).orElse(null);
        if (needed != null && !isDeclared(needed, capabilities)) {
            throw CapabilityException.missing(needed, method.name());
        }
    }

    private static boolean isDeclared(String needed, ServerCapabilities server) {
        return switch (needed) {
            case "tools" -> server.tools();
            case "resources" -> server.resources();
            case "resources.subscribe" -> server.resourcesSubscribe();
            case "prompts" -> server.prompts();
            case "completions" -> server.completions();
            case "logging" -> server.logging();
            case "tasks.requests" -> server.tasks().filter(TasksCapability::takesAny).isPresent();
            case "tasks.list" -> server.tasks().filter(TasksCapability::lists).isPresent();
            case "tasks.cancel" -> server.tasks().filter(TasksCapability::cancels).isPresent();
            case TasksExtension.CAPABILITY -> TasksExtension.isDeclaredBy(server);
            default -> true;
        };
    }

    /**
     * Makes sure that a message is not part of the handshake, which the client does by itself: over
     * HTTP a second one would end its session.
     *
     * @throws IllegalArgumentException if it is
     */
    public static void requireNoHandshake(String method) {
        if (method.equals(Methods.INITIALIZE.name())
                || method.equals(Notifications.INITIALIZED.name())) {
            throw new IllegalArgumentException(
                    "the client sends " + method + " by itself when it connects");
        }
    }

    /**
     * A method that is not of the protocol.
     *
     * @throws IllegalArgumentException if it is
     */
    public static String own(String method) {
        boolean known =
                Methods.ALL.stream().anyMatch(taken -> taken.name().equals(method))
                        || Notifications.ALL.stream().anyMatch(taken -> taken.name().equals(method))
                        || method.startsWith("tasks/")
                        || method.startsWith("rpc.");
        if (known) {
            throw new IllegalArgumentException(
                    "the protocol keeps this method for itself: " + method);
        }
        return method;
    }
}
