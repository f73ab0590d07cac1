package dev.fairlead.client.group;

import dev.fairlead.client.McpClient;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.lifecycle.ServerCapabilities;
import dev.fairlead.protocol.prompts.Prompt;
import dev.fairlead.protocol.resources.Resource;
import dev.fairlead.protocol.resources.ResourceTemplate;
import dev.fairlead.protocol.roots.Root;
import dev.fairlead.protocol.time.Timers;
import dev.fairlead.protocol.tools.Tool;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** A group with its connections. */
final class LiveGroup extends RoutedRequests implements McpClients {
    private final GroupSettings settings;
    private final Members members;
    private final Timers timers;

    private LiveGroup(GroupSettings settings, Members members, Timers timers) {
        super(members, UnaryOperator.identity());
        this.settings = settings;
        this.members = members;
        this.timers = timers;
    }

    static LiveGroup open(
            GroupSettings settings, List<McpClients.Builder.Entry> servers, Timers timers)
            throws InterruptedException {
        LiveGroup group = new LiveGroup(settings, new Members(settings), timers);
        boolean open = false;
        try {
            for (McpClients.Builder.Entry entry : servers) {
                group.add(entry.name(), entry.remote(), entry.options());
            }
            group.members.await(
                    () -> group.members.all().stream().allMatch(Member::isSettled),
                    settings.connectWait,
                    timers);
            group.members.complete();
            open = true;
            return group;
        } finally {
            if (!open) {
                group.close();
            }
        }
    }

    // ---- lists

    private Merged merged() {
        members.all().forEach(member -> member.lists().refreshIfOld());
        return members.merged();
    }

    @Override
    public List<GroupItem<Tool>> tools() {
        return merged().tools();
    }

    @Override
    public List<GroupItem<Resource>> resources() {
        return merged().resources();
    }

    @Override
    public List<GroupItem<ResourceTemplate>> resourceTemplates() {
        return merged().templates();
    }

    @Override
    public List<GroupItem<Prompt>> prompts() {
        return merged().prompts();
    }

    @Override
    public ServerCapabilities serverCapabilities() {
        return members.merged().capabilities();
    }

    @Override
    public void refresh() throws InterruptedException {
        members.refresh();
    }

    // ---- servers

    @Override
    public McpClient server(String name) {
        return members.member(name).client();
    }

    @Override
    public String serverOfTool(String tool) {
        return members.tool(tool).member().name();
    }

    @Override
    public String serverOfPrompt(String prompt) {
        return members.prompt(prompt).member().name();
    }

    @Override
    public Optional<String> serverOfResource(String uri) {
        return merged().serverOf(uri);
    }

    @Override
    public List<ServerStatus> servers() {
        return members.all().stream().map(Member::status).toList();
    }

    @Override
    public ServerStatus status(String server) {
        return members.member(server).status();
    }

    @Override
    public boolean awaitConnected(String server, Duration limit) throws InterruptedException {
        Member member = members.member(server);
        return members.await(() -> member.status().state() == ServerState.CONNECTED, limit, timers);
    }

    @Override
    public void add(String name, Remote remote, Consumer<McpClient.Builder> options)
            throws InterruptedException {
        members.add(
                new Member(
                        McpClients.Builder.checked(name),
                        Objects.requireNonNull(remote, "remote"),
                        Objects.requireNonNull(options, "options"),
                        settings,
                        timers,
                        members));
    }

    @Override
    public void remove(String server) throws InterruptedException {
        Member removed = members.remove(server);
        removed.stop();
        removed.awaitEnd();
    }

    // ---- roots

    @Override
    public void replaceRoots(Root... roots) {
        if (settings.roots == null) {
            throw new IllegalStateException("the group was built without roots(…)");
        }
        settings.roots = List.of(roots);
        rootsChanged();
    }

    @Override
    public void rootsChanged() {
        members.all().forEach(Member::rootsChanged);
    }

    // ---- the end

    @Override
    public void close() {
        members.close();
        members.all().forEach(Member::stop);
        members.all().forEach(Member::awaitEnd);
        timers.close();
    }
}
