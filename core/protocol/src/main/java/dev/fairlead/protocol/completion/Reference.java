package dev.fairlead.protocol.completion;

import dev.fairlead.json.JsonDiscriminator;

/** The prompt or resource template whose argument is completed. */
@JsonDiscriminator("type")
public sealed interface Reference permits PromptReference, ResourceTemplateReference {}
