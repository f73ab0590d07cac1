package dev.fairlead.protocol.completion;

import dev.fairlead.json.JsonDiscriminator;

/** What an argument is completed for. */
@JsonDiscriminator("type")
public sealed interface Reference permits PromptReference, ResourceTemplateReference {}
