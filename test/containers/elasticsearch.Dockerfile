# Stands in for the official image where no image registry can be reached: the embedded engine on
# Debian, with the official image's user, folders and entry point.
FROM aisle-debian
RUN useradd --uid 1000 --create-home --home-dir /usr/share/elasticsearch elasticsearch
COPY jdk /opt/jdk
COPY --chown=1000:1000 elasticsearch /usr/share/elasticsearch
COPY entrypoint.sh /usr/local/bin/entrypoint.sh
ENV ES_JAVA_HOME=/opt/jdk
WORKDIR /usr/share/elasticsearch
USER 1000
RUN mkdir -p data logs && printf 'cluster.name: docker-cluster\nnetwork.host: 0.0.0.0\n' > config/elasticsearch.yml
EXPOSE 9200
ENTRYPOINT ["/usr/local/bin/entrypoint.sh"]
