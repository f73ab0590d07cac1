package dev.fairlead.server.tools;

import dev.fairlead.protocol.base.PaginatedRequest;
import dev.fairlead.protocol.tools.ListToolsResult;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.server.call.ServerCall;
import dev.fairlead.server.pagination.PageUnderWay;
import dev.fairlead.server.pagination.Paging;

import java.util.List;
import java.util.Optional;

/** {@code tools/list} and {@code tools/call}. */
public final class ToolMethods {
    private final ToolSet tools;
    private final Paging paging;

    public ToolMethods(ToolSet tools, Paging paging) {
        this.tools = tools;
        this.paging = paging;
    }

    public ListToolsResult list(PaginatedRequest request, ServerCall call) throws Exception {
        PageUnderWay<Tool> page =
                paging.begin(
                        "tools", request.cursor(), call.caller(), tools.tools(), tools.sources());
        List<Paging.Listed<Tool>> listed =
                Paging.each(
                        page,
                        tools.tools(),
                        call.caller(),
                        tool -> isHidden(tool, call) ? null : tool.definition());
        listed.addAll(Paging.sources(page, tools.sources(), call.call()));
        Paging.fill(page, listed);
        return new ListToolsResult(
                page.items().stream().map(this::asDeclared).toList(), page.nextCursor());
    }

    /** Returns whether a client that can call no tasks is not to know of the tool. */
    static boolean isHidden(ServerTool tool, ServerCall call) {
        return tool.task().support() == TaskSupport.REQUIRED
                && call.settings().hidesTaskTools
                && !call.client().takesTasks();
    }

    /** Removes the declaration of task support from tools that are never run as tasks. */
    public static ListToolsResult withoutTasks(ListToolsResult listed) {
        List<Tool> tools = listed.tools().stream().map(tool -> tool.withExecution(null)).toList();
        return new ListToolsResult(
                tools, listed.nextCursor(), listed.meta(), listed.otherMembers());
    }

    /**
     * Removes the declaration of task support from tools of sources, which are never run as tasks.
     */
    private Tool asDeclared(Tool tool) {
        return tool.execution() == null || tools.find(tool.name()) != null
                ? tool
                : tool.withExecution(null);
    }

    /** Returns the warning about a name that the specification advises against. */
    public static Optional<String> oddity(String name) {
        boolean fine = name.length() <= 128 && name.matches("[A-Za-z0-9_.-]+");
        return fine
                ? Optional.empty()
                : Optional.of(
                        "tool name should be 1 to 128 characters from A-Z a-z 0-9 _ - . but was \""
                                + name
                                + "\"");
    }
}
