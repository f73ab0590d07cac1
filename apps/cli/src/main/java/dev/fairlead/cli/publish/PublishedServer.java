package dev.fairlead.cli.publish;

import dev.fairlead.client.McpClient;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.tools.Tool;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.stream.Stream;

/**
 * A running server as it describes itself.
 *
 * @param description in its own words; null if it has none
 * @param prompts whether it has prompts
 */
public record PublishedServer(
        Implementation info, @Nullable String description, List<Tool> tools, boolean prompts) {
    /** Asks a server. */
    public static PublishedServer of(McpClient server) throws InterruptedException {
        Implementation info = server.serverInfo();
        return new PublishedServer(
                info,
                Stream.of(info.description(), server.instructions().orElse(null))
                        .filter(text -> text != null && !text.isBlank())
                        .findFirst()
                        .orElse(null),
                server.serverCapabilities().tools() ? server.tools() : List.of(),
                server.serverCapabilities().prompts());
    }
}
