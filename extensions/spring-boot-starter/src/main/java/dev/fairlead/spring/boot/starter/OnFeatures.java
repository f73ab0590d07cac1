package dev.fairlead.spring.boot.starter;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;

import java.util.Objects;

/** Whether the application has beans that declare features. */
final class OnFeatures extends SpringBootCondition implements ConfigurationCondition {
    @Override
    public ConfigurationPhase getConfigurationPhase() {
        return ConfigurationPhase.REGISTER_BEAN;
    }

    @Override
    public ConditionOutcome getMatchOutcome(
            ConditionContext context, AnnotatedTypeMetadata metadata) {
        var message = ConditionMessage.forCondition("MCP features");
        return new DeclaredFeatures(Objects.requireNonNull(context.getBeanFactory())).exist()
                ? ConditionOutcome.match(message.because("beans declare them"))
                : ConditionOutcome.noMatch(message.because("no bean declares any"));
    }
}
