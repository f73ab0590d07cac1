package dev.fairlead.opentelemetry;

import io.opentelemetry.api.common.AttributeKey;

import java.util.List;

/**
 * The names of the semantic conventions for MCP, which are still being developed and have no
 * constants elsewhere that are not deprecated.
 */
final class Conventions {
    static final AttributeKey<String> METHOD = AttributeKey.stringKey("mcp.method.name");
    static final AttributeKey<String> SESSION = AttributeKey.stringKey("mcp.session.id");
    static final AttributeKey<String> REVISION = AttributeKey.stringKey("mcp.protocol.version");
    static final AttributeKey<String> RESOURCE = AttributeKey.stringKey("mcp.resource.uri");
    static final AttributeKey<String> REQUEST = AttributeKey.stringKey("jsonrpc.request.id");
    static final AttributeKey<String> TOOL = AttributeKey.stringKey("gen_ai.tool.name");
    static final AttributeKey<String> PROMPT = AttributeKey.stringKey("gen_ai.prompt.name");
    static final AttributeKey<String> OPERATION = AttributeKey.stringKey("gen_ai.operation.name");
    static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");
    static final AttributeKey<String> STATUS = AttributeKey.stringKey("rpc.response.status_code");
    static final AttributeKey<String> TRANSPORT = AttributeKey.stringKey("network.transport");
    static final AttributeKey<String> PROTOCOL = AttributeKey.stringKey("network.protocol.name");

    static final AttributeKey<Long> HTTP_STATUS = AttributeKey.longKey("http.response.status_code");

    static final String EXECUTE_TOOL = "execute_tool";

    static final String CLIENT_OPERATION = "mcp.client.operation.duration";
    static final String SERVER_OPERATION = "mcp.server.operation.duration";
    static final String CLIENT_SESSION = "mcp.client.session.duration";
    static final String SERVER_SESSION = "mcp.server.session.duration";

    /** The metric is not part of the conventions. */
    static final String SERVER_REFUSALS = "mcp.server.refusals";

    /** The metric is not part of the conventions. */
    static final String REFUSED_STATES = "mcp.server.request_states.refused";

    /** The metric is not part of the conventions. */
    static final String QUICK_FEATURES = "mcp.server.features.quick";

    /** The metric is not part of the conventions. */
    static final String REPLACED_READERS = "mcp.server.readers.replaced";

    /** The first part of the names of metrics that are not part of the conventions. */
    static final String ENDPOINT = "mcp.server.http.";

    /** The attribute is not part of the conventions. */
    static final AttributeKey<String> SERVER_NAME = AttributeKey.stringKey("fairlead.server.name");

    /** The attribute is not part of the conventions, and so in no namespace of theirs. */
    static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("fairlead.call.outcome");

    /** The attribute is not part of the conventions. */
    static final AttributeKey<Long> ROUND = AttributeKey.longKey("fairlead.call.round");

    /** The buckets of all durations, in seconds. */
    static final List<Double> BUCKETS =
            List.of(0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0);

    private Conventions() {}
}
