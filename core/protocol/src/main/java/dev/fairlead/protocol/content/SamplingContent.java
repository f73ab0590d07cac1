package dev.fairlead.protocol.content;

import dev.fairlead.json.JsonDiscriminator;

/** A block of a sampling message. */
@JsonDiscriminator("type")
public sealed interface SamplingContent
        permits TextContent,
                ImageContent,
                AudioContent,
                ToolUseContent,
                ToolResultContent,
                UnknownContent {}
