package dev.fairlead.docs;

import static java.util.Map.entry;

import java.util.Map;

/** The scenes by the names that pages call them. */
final class Scenes {
    private Scenes() {}

    static Map<String, Scene> byName() {
        return Map.ofEntries(
                entry("initialize", LifecycleScenes::greeting),
                entry("discover", PerRequestScenes::discover),
                entry("logging-per-request", PerRequestScenes::log),
                entry("progress-per-request", PerRequestScenes::progress),
                entry("cancellation-per-request", PerRequestScenes::cancellation),
                entry("tools-call-per-request", ToolScenes::callPerRequest),
                entry("prompts-get-per-request", PromptScenes::getPerRequest),
                entry("completion-per-request", PromptScenes::completePerRequest),
                entry("pages-per-request", ListScenes::pagePerRequest),
                entry("listen", PerRequestScenes::listen),
                entry("error-revision", PerRequestScenes::unsupported),
                entry("error-capability", PerRequestScenes::missingCapability),
                entry("http-per-request", PerRequestScenes::http),
                entry("elicitation-rounds", QuestionScenes::formInRounds),
                entry("sampling-rounds", QuestionScenes::samplingInRounds),
                entry("roots-rounds", QuestionScenes::rootsInRounds),
                entry("initialize-older", LifecycleScenes::older),
                entry("tools-list", ToolScenes::list),
                entry("tools-call", ToolScenes::call),
                entry("tool-failure", ToolScenes::failure),
                entry("tool-invalid", ToolScenes::invalid),
                entry("resources-list", ResourceScenes::list),
                entry("resources-read", ResourceScenes::read),
                entry("resource-missing", ResourceScenes::missing),
                entry("resources-subscribe", ResourceScenes::watch),
                entry("prompts-list", PromptScenes::list),
                entry("prompts-get", PromptScenes::get),
                entry("completion", PromptScenes::complete),
                entry("logging", CallScenes::log),
                entry("progress", CallScenes::progress),
                entry("cancellation", CallScenes::cancellation),
                entry("pages", ListScenes::pages),
                entry("list-changed", ListScenes::change),
                entry("elicitation-form", QuestionScenes::form),
                entry("elicitation-url", QuestionScenes::url),
                entry("sampling", QuestionScenes::sampling),
                entry("roots", QuestionScenes::roots),
                entry("http", HttpScenes::session),
                entry("task", TaskScenes::start),
                entry("task-question", TaskScenes::question),
                entry("task-cancel", TaskScenes::cancel),
                entry("task-extension", TaskScenes::extension),
                entry("task-list", TaskScenes::list),
                entry("task-own", TaskScenes::own),
                entry("ping", PingScenes::clientPings),
                entry("error-unknown-tool", ErrorScenes::unknown),
                entry("error-refused", ErrorScenes::refused),
                entry("error-tool", ErrorScenes::failed),
                entry("error-unexpected", ErrorScenes::unexpected),
                entry("error-method", ErrorScenes::noMethod));
    }
}
