package dev.fairlead.server;

import dev.fairlead.protocol.base.PaginatedRequest;
import dev.fairlead.protocol.tools.ListToolsResult;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.protocol.tools.Tool;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;

/** {@code tools/list} and {@code tools/call}. */
final class ToolMethods {
    private final Paging paging;

    ToolMethods(Paging paging) {
        this.paging = paging;
    }

    ListToolsResult list(PaginatedRequest request, ServerCall call) throws Exception {
        FeatureSet features = call.features();
        PageUnderWay<Tool> page =
                paging.begin("tools", request.cursor(), features.tools(), features.toolSources());
        List<Paging.Listed<Tool>> listed =
                Paging.each(page, features.tools(), tool -> listed(tool, call));
        listed.addAll(Paging.sources(page, features.toolSources(), call));
        Paging.fill(page, listed);
        return new ListToolsResult(
                        page.items().stream().map(tool -> asDeclared(tool, features)).toList())
                .withNextCursor(page.nextCursor());
    }

    /** Tools that this session could not call are not listed, if the server says so. */
    private static @Nullable Tool listed(ServerTool tool, ServerCall call) {
        boolean usable = tool.isVisibleTo(call.caller()) && !isHidden(tool, call);
        return usable ? tool.definition() : null;
    }

    /** Returns whether a client that can call no tasks is not to know of the tool. */
    static boolean isHidden(ServerTool tool, ServerCall call) {
        return tool.task().support() == TaskSupport.REQUIRED
                && call.settings().hidesTaskTools()
                && !call.clientContext().takesTasks();
    }

    /** Tools that are never run as tasks do not say that they can be. */
    static ListToolsResult withoutTasks(ListToolsResult listed) {
        List<Tool> tools = listed.tools().stream().map(tool -> tool.withExecution(null)).toList();
        return new ListToolsResult(
                tools, listed.nextCursor(), listed.meta(), listed.otherMembers());
    }

    /** Tools of sources are never run as tasks, and so they do not say that they can be. */
    private static Tool asDeclared(Tool tool, FeatureSet features) {
        return tool.execution() == null || features.tools().find(tool.name()) != null
                ? tool
                : tool.withExecution(null);
    }

    /** For messages of warnings about names that the specification advises against. */
    static Optional<String> oddity(String name) {
        boolean fine = name.length() <= 128 && name.matches("[A-Za-z0-9_.-]+");
        return fine
                ? Optional.empty()
                : Optional.of(
                        "tool name should be 1 to 128 characters from A-Z a-z 0-9 _ - . but was \""
                                + name
                                + "\"");
    }
}
