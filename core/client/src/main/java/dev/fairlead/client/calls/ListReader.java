package dev.fairlead.client.calls;

import dev.fairlead.client.internal.ClientSettings;
import dev.fairlead.client.internal.Mailbox;
import dev.fairlead.jsonrpc.ConnectionException;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.RequestTimeoutException;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.Notification;
import dev.fairlead.protocol.Notifications;
import dev.fairlead.protocol.prompts.ListPromptsResult;
import dev.fairlead.protocol.resources.ListResourcesResult;
import dev.fairlead.protocol.tools.ListToolsResult;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.function.Consumer;

/** Reads a list that changed, and notifies its listener. */
public final class ListReader implements Mailbox.Listener<Notification<?>> {
    /** The time until a list that could not be read is read again. */
    public static final Duration AGAIN = Duration.ofSeconds(30);

    private final CallParts parts;
    private final Consumer<Notification<?>> later;

    /**
     * @param later has a list that could not be read now read again
     */
    public ListReader(CallParts parts, Consumer<Notification<?>> later) {
        this.parts = parts;
        this.later = later;
    }

    @Override
    public void receive(Notification<?> changed) throws Exception {
        ClientSettings settings = parts.settings();
        ListCalls lists = new ListCalls(parts, parts.context().defaults());
        if (changed.equals(Notifications.TOOL_LIST_CHANGED)) {
            ListToolsResult list = read(changed, () -> new ListToolsResult(lists.tools()));
            notify(settings.onToolsChanged, list);
        } else if (changed.equals(Notifications.RESOURCE_LIST_CHANGED)) {
            ListResourcesResult list =
                    read(
                            changed,
                            () ->
                                    new ListResourcesResult(
                                            lists.all(
                                                    Methods.LIST_RESOURCES,
                                                    ListResourcesResult::resources)));
            notify(settings.onResourcesChanged, list);
        } else if (changed.equals(Notifications.PROMPT_LIST_CHANGED)) {
            ListPromptsResult list =
                    read(
                            changed,
                            () ->
                                    new ListPromptsResult(
                                            lists.all(
                                                    Methods.LIST_PROMPTS,
                                                    ListPromptsResult::prompts)));
            notify(settings.onPromptsChanged, list);
        }
    }

    /** Reads a list. */
    @FunctionalInterface
    private interface Reading<R> {
        R read() throws InterruptedException;
    }

    /** A list that cannot be read now is read again later: the change is not reported again. */
    private <R> R read(Notification<?> changed, Reading<R> reading) throws InterruptedException {
        try {
            return reading.read();
        } catch (JsonRpcException | ConnectionException | RequestTimeoutException e) {
            later.accept(changed);
            throw e;
        }
    }

    private static <R> void notify(Mailbox.@Nullable Listener<R> listener, R list)
            throws Exception {
        if (listener != null) {
            listener.receive(list);
        }
    }
}
