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
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/**
 * Reads a list that changed, and notifies its listener.
 *
 * @param later has a list that could not be read now read again
 */
public record ListReader(CallParts parts, Consumer<Notification<?>> later)
        implements Mailbox.Listener<Notification<?>> {
    /** The time until a list that could not be read is read again. */
    public static final Duration AGAIN = Duration.ofSeconds(30);

    @Override
    public void receive(Notification<?> changed) throws Exception {
        ClientSettings settings = parts.settings();
        ListCalls lists = new ListCalls(parts, parts.context().defaults());
        if (changed.equals(Notifications.TOOL_LIST_CHANGED)) {
            read(changed, settings.onToolsChanged, () -> new ListToolsResult(lists.tools(), null));
        } else if (changed.equals(Notifications.RESOURCE_LIST_CHANGED)) {
            read(
                    changed,
                    settings.onResourcesChanged,
                    () ->
                            new ListResourcesResult(
                                    lists.all(
                                            Methods.LIST_RESOURCES, ListResourcesResult::resources),
                                    null));
        } else if (changed.equals(Notifications.PROMPT_LIST_CHANGED)) {
            read(
                    changed,
                    settings.onPromptsChanged,
                    () ->
                            new ListPromptsResult(
                                    lists.all(Methods.LIST_PROMPTS, ListPromptsResult::prompts),
                                    null));
        }
    }

    /** A list that cannot be read now is read again later: the change is not reported again. */
    private <R> void read(
            Notification<?> changed, Mailbox.@Nullable Listener<R> listener, Callable<R> reading)
            throws Exception {
        if (listener == null) {
            return;
        }
        R list;
        try {
            list = reading.call();
        } catch (JsonRpcException | ConnectionException | RequestTimeoutException e) {
            later.accept(changed);
            throw e;
        }
        listener.receive(list);
    }
}
