package dev.fairlead.protocol;

import dev.fairlead.json.JsonDiscriminator;

/** A block of a sampling message (SAMP-006). */
@JsonDiscriminator("type")
public sealed interface SamplingContent
        permits TextContent,
                ImageContent,
                AudioContent,
                ToolUseContent,
                ToolResultContent,
                UnknownContent {}
