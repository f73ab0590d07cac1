package dev.fairlead.protocol.face;

import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.CapabilityException;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.content.AudioContent;
import dev.fairlead.protocol.content.ImageContent;
import dev.fairlead.protocol.content.SamplingContent;
import dev.fairlead.protocol.content.TextContent;
import dev.fairlead.protocol.content.ToolResultContent;
import dev.fairlead.protocol.content.ToolUseContent;
import dev.fairlead.protocol.content.UnknownContent;
import dev.fairlead.protocol.sampling.CreateMessageRequest;
import dev.fairlead.protocol.sampling.CreateMessageResult;
import dev.fairlead.protocol.sampling.SamplingMessage;

import java.util.List;
import java.util.stream.Stream;

/**
 * Sampling before revision 2025-11-25: one block of text, image or (from 2025-03-26) sound in each
 * message, and no tools.
 */
final class SamplingDowngrade {
    private final Revision revision;
    private final ContentDowngrade content;

    SamplingDowngrade(Revision revision, ContentDowngrade content) {
        this.revision = revision;
        this.content = content;
    }

    /** Returns a message of several blocks as several messages of the same role. */
    CreateMessageRequest of(CreateMessageRequest request) {
        if (request.tools() != null || request.toolChoice() != null) {
            throw new CapabilityException(
                    "sampling.tools", "revision " + revision + " has no tools in sampling");
        }
        List<SamplingMessage> messages = request.messages().stream().flatMap(this::single).toList();
        return new CreateMessageRequest(
                messages,
                request.maxTokens(),
                request.modelPreferences(),
                request.systemPrompt(),
                request.includeContext(),
                request.temperature(),
                request.stopSequences(),
                request.metadata(),
                null,
                null,
                null,
                request.meta(),
                request.otherMembers());
    }

    private Stream<SamplingMessage> single(SamplingMessage message) {
        return message.content().stream()
                .map(block -> known(block, "sampling"))
                .map(
                        block ->
                                new SamplingMessage(
                                        message.role(),
                                        List.of(block),
                                        message.meta(),
                                        message.otherMembers()));
    }

    private SamplingContent known(SamplingContent block, String capability) {
        return switch (block) {
            case TextContent text -> content.of(text);
            case ImageContent image -> content.of(image);
            case AudioContent audio when revision.isAtLeast(Revision.V2025_03_26) ->
                    content.of(audio);
            case AudioContent audio -> throw lacks(capability, "sound");
            case ToolUseContent use -> throw lacks("sampling.tools", "tools");
            case ToolResultContent result -> throw lacks("sampling.tools", "tools");
            case UnknownContent unknown ->
                    throw lacks(capability, "content of the type " + unknown.type());
        };
    }

    private CapabilityException lacks(String capability, String what) {
        return new CapabilityException(
                capability, "revision " + revision + " has no " + what + " in sampling");
    }

    /** Returns several texts as one; other blocks have no form that holds several of them. */
    CreateMessageResult of(CreateMessageResult result) {
        return new CreateMessageResult(
                result.role(),
                List.of(one(result)),
                result.model(),
                result.stopReason(),
                result.meta(),
                result.otherMembers());
    }

    private SamplingContent one(CreateMessageResult result) {
        List<SamplingContent> blocks = result.content();
        if (blocks.size() != 1 && blocks.stream().allMatch(TextContent.class::isInstance)) {
            return new TextContent(result.text(), null, null, JsonObject.EMPTY);
        }
        if (blocks.size() != 1) {
            throw new IllegalStateException(
                    "the sampled message has "
                            + blocks.size()
                            + " blocks, but revision "
                            + revision
                            + " has room for one");
        }
        try {
            return known(blocks.get(0), "sampling");
        } catch (CapabilityException e) {
            throw new IllegalStateException(
                    e.getMessage(), e); // the fault is of the answering side
        }
    }
}
