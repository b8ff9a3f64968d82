package aisle.analysis;

import java.util.List;
import java.util.Map;

import org.elasticsearch.index.analysis.CharFilterFactory;
import org.elasticsearch.index.analysis.PreConfiguredCharFilter;
import org.elasticsearch.index.analysis.PreConfiguredTokenFilter;
import org.elasticsearch.index.analysis.PreConfiguredTokenizer;
import org.elasticsearch.index.analysis.TokenFilterFactory;
import org.elasticsearch.index.analysis.TokenizerFactory;
import org.elasticsearch.indices.analysis.AnalysisModule.AnalysisProvider;
import org.elasticsearch.plugins.AnalysisPlugin;
import org.elasticsearch.plugins.Plugin;

/**
 * Registers the parts of Elasticsearch's module analysis-common that the index mappings use, with
 * their official names, settings and defaults: the integ-test distribution lacks that module. A
 * mapping is then valid on both distributions.
 */
public class AnalysisComponents extends Plugin implements AnalysisPlugin {

    @Override
    public Map<String, AnalysisProvider<CharFilterFactory>> getCharFilters() {
        return CharFilters.configurable();
    }

    @Override
    public List<PreConfiguredCharFilter> getPreConfiguredCharFilters() {
        return CharFilters.ready();
    }

    @Override
    public Map<String, AnalysisProvider<TokenizerFactory>> getTokenizers() {
        return Tokenizers.configurable();
    }

    @Override
    public List<PreConfiguredTokenizer> getPreConfiguredTokenizers() {
        return Tokenizers.ready();
    }

    @Override
    public Map<String, AnalysisProvider<TokenFilterFactory>> getTokenFilters() {
        return TokenFilters.configurable();
    }

    @Override
    public List<PreConfiguredTokenFilter> getPreConfiguredTokenFilters() {
        return TokenFilters.ready();
    }
}
