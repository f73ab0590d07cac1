package dev.fairlead.protocol.face;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonNull;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.base.NotificationParams;
import dev.fairlead.protocol.base.ProgressNotification;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.caching.CacheableResult;
import dev.fairlead.protocol.completion.CompleteRequest;
import dev.fairlead.protocol.completion.PromptReference;
import dev.fairlead.protocol.elicitation.ElicitRequest;
import dev.fairlead.protocol.elicitation.ElicitResult;
import dev.fairlead.protocol.lifecycle.InitializeRequest;
import dev.fairlead.protocol.lifecycle.InitializeResult;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.prompts.ListPromptsResult;
import dev.fairlead.protocol.resources.ListResourceTemplatesResult;
import dev.fairlead.protocol.resources.ListResourcesResult;
import dev.fairlead.protocol.sampling.CreateMessageRequest;
import dev.fairlead.protocol.sampling.CreateMessageResult;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.ListToolsResult;

/**
 * Converts messages to the forms of an older revision. One class for each topic contains the
 * differences; for the newest revision nothing is copied.
 */
final class Downgrade {
    private final Revision revision;
    private final boolean newest;
    private final CapabilityDowngrade capabilities;
    private final DefinitionDowngrade definitions;
    private final ContentDowngrade content;
    private final SamplingDowngrade sampling;
    private final ElicitationDowngrade elicitation;

    Downgrade(Revision revision) {
        this.revision = revision;
        this.newest = revision == Revision.NEWEST_WITH_HANDSHAKE;
        this.capabilities = new CapabilityDowngrade(revision);
        this.definitions = new DefinitionDowngrade(revision);
        this.content = new ContentDowngrade(revision);
        this.sampling = new SamplingDowngrade(revision, content);
        this.elicitation = new ElicitationDowngrade(revision);
    }

    CapabilityDowngrade capabilities() {
        return capabilities;
    }

    /** Returns parameters to be sent. */
    RequestParams params(RequestParams params) {
        if (newest) {
            return params;
        }
        return switch (params) {
            case InitializeRequest initialize ->
                    new InitializeRequest(
                            initialize.protocolVersion(),
                            capabilities.of(initialize.capabilities()),
                            definitions.of(initialize.clientInfo()),
                            initialize.meta(),
                            initialize.otherMembers());
            case CallToolRequest call -> call.withTask(null);
            case CompleteRequest complete -> of(complete);
            case CreateMessageRequest request -> sampling.of(request);
            case ElicitRequest request -> elicitation.of(request);
            default -> params;
        };
    }

    private CompleteRequest of(CompleteRequest complete) {
        if (revision.isAtLeast(Revision.V2025_06_18)) {
            return complete;
        }
        return new CompleteRequest(
                complete.ref() instanceof PromptReference prompt
                        ? prompt.withTitle(null)
                        : complete.ref(),
                complete.argument(),
                null,
                complete.meta(),
                complete.otherMembers());
    }

    /**
     * Returns the text of parameters to be sent, without members that the record always has and the
     * revision lacks.
     */
    RawJson paramsOnWire(RequestParams params, RawJson written) {
        boolean modeUnknown = !newest && params instanceof ElicitRequest;
        return modeUnknown ? RawJson.of(((JsonObject) written.value()).without("mode")) : written;
    }

    /** Returns a received result; peers write null if there is no structured content. */
    static Result received(Result result) {
        if (!(result instanceof CallToolResult tool)) {
            return result;
        }
        return switch (tool.structuredContent()) {
            case JsonNull absent -> tool.withStructuredContent(null);
            case JsonArray array when array.elements().isEmpty() ->
                    tool.withStructuredContent(JsonObject.EMPTY);
            case null, default -> result;
        };
    }

    /** Returns a result to be sent, without a cache hint. */
    Result result(Result result) {
        return shaped(
                result instanceof CacheableResult cacheable && cacheable.hasCacheHint()
                        ? cacheable.withCacheHint(null)
                        : result);
    }

    private Result shaped(Result result) {
        if (result instanceof CallToolResult tool) {
            return content.of(StructuredOutput.wrap(tool));
        } else if (result instanceof ListToolsResult list) {
            return of(list);
        }
        return newest ? result : older(result);
    }

    private ListToolsResult of(ListToolsResult list) {
        if (newest && list.tools().stream().noneMatch(StructuredOutput::needsWrap)) {
            return list;
        }
        return new ListToolsResult(
                list.tools().stream().map(StructuredOutput::wrap).map(definitions::of).toList(),
                list.nextCursor(),
                list.meta(),
                list.otherMembers());
    }

    private Result older(Result result) {
        return switch (result) {
            case InitializeResult initialize ->
                    new InitializeResult(
                            initialize.protocolVersion(),
                            capabilities.of(initialize.capabilities()),
                            definitions.of(initialize.serverInfo()),
                            initialize.instructions(),
                            initialize.meta(),
                            initialize.otherMembers());
            case ListResourcesResult list ->
                    new ListResourcesResult(
                            list.resources().stream().map(definitions::of).toList(),
                            list.nextCursor(),
                            list.meta(),
                            list.otherMembers());
            case ListResourceTemplatesResult list ->
                    new ListResourceTemplatesResult(
                            list.resourceTemplates().stream().map(definitions::of).toList(),
                            list.nextCursor(),
                            list.meta(),
                            list.otherMembers());
            case ListPromptsResult list ->
                    new ListPromptsResult(
                            list.prompts().stream().map(definitions::of).toList(),
                            list.nextCursor(),
                            list.meta(),
                            list.otherMembers());
            case GetPromptResult prompt -> content.of(prompt);
            case CreateMessageResult message -> sampling.of(message);
            case ElicitResult answer -> elicitation.of(answer);
            default -> result;
        };
    }

    /** Parameters of a notification to be sent. */
    NotificationParams notification(NotificationParams params) {
        boolean wordless = !revision.isAtLeast(Revision.V2025_03_26);
        return wordless && params instanceof ProgressNotification progress
                ? progress.withMessage(null)
                : params;
    }
}
