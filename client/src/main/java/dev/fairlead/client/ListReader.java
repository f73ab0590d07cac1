package dev.fairlead.client;

import dev.fairlead.client.internal.Mailbox;
import dev.fairlead.protocol.Notification;
import dev.fairlead.protocol.Notifications;
import dev.fairlead.protocol.prompts.ListPromptsResult;
import dev.fairlead.protocol.resources.ListResourcesResult;
import dev.fairlead.protocol.tools.ListToolsResult;

import org.jspecify.annotations.Nullable;

/** Reads a list that changed, and notifies its listener. */
final class ListReader implements Mailbox.Listener<Notification<?>> {
    private final ClientConnection connection;

    ListReader(ClientConnection connection) {
        this.connection = connection;
    }

    @Override
    public void receive(Notification<?> changed) throws Exception {
        ClientSettings settings = connection.settings();
        Requests requests = new Requests(connection, connection.defaults());
        if (changed.equals(Notifications.TOOL_LIST_CHANGED)) {
            notify(settings.onToolsChanged, new ListToolsResult(requests.tools()));
        } else if (changed.equals(Notifications.RESOURCE_LIST_CHANGED)) {
            notify(settings.onResourcesChanged, new ListResourcesResult(requests.resources()));
        } else if (changed.equals(Notifications.PROMPT_LIST_CHANGED)) {
            notify(settings.onPromptsChanged, new ListPromptsResult(requests.prompts()));
        }
    }

    private static <R> void notify(@Nullable ListListener<R> listener, R list) throws Exception {
        if (listener != null) {
            listener.changed(list);
        }
    }
}
