package dev.fairlead.client.group;

import dev.fairlead.client.ListListener;
import dev.fairlead.client.McpClient;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.options.CopyOnChange;
import dev.fairlead.protocol.prompts.Prompt;
import dev.fairlead.protocol.resources.Resource;
import dev.fairlead.protocol.roots.Root;
import dev.fairlead.protocol.time.Backoff;
import dev.fairlead.protocol.tools.Tool;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;

/**
 * The settings that the builder of a group has collected. Only the builder changes it; a group
 * works on a copy in which only the roots change.
 */
final class GroupSettings extends CopyOnChange<GroupSettings> {
    private static final Duration PING = Duration.ofSeconds(30);

    final String name;
    final String version;
    BiConsumer<String, McpClient.Builder> clientDefaults = (server, client) -> {};
    Naming naming = Naming.DEFAULT;
    Backoff backoff = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(30));
    Duration connectWait = Duration.ofSeconds(10);
    Duration keepLists = Duration.ofSeconds(30);
    Duration listAge = Duration.ofMinutes(1);
    int maxServers = 100;
    @Nullable LoggingLevel level;
    volatile @Nullable List<Root> roots;
    @Nullable ListListener<List<GroupItem<Tool>>> onToolsChanged;
    @Nullable ListListener<List<GroupItem<Resource>>> onResourcesChanged;
    @Nullable ListListener<List<GroupItem<Prompt>>> onPromptsChanged;
    @Nullable StatusListener onStatus;

    GroupSettings(String name, String version) {
        this.name = Objects.requireNonNull(name, "name");
        this.version = Objects.requireNonNull(version, "version");
    }

    /** The settings of the client for one server. */
    McpClient.Builder client(String server) {
        McpClient.Builder builder = McpClient.named(name, version).keepAlive(PING, 3);
        if (roots != null) {
            builder.onRoots(() -> Objects.requireNonNull(roots));
        }
        clientDefaults.accept(server, builder);
        return builder;
    }
}
